// Checks pages as a browser shows them: usage: node check.mjs SITE AXE [--shots DIR] [PAGE...]. SITE is what build made, AXE the file axe.js
// of axe-core. Each page, at the widths of a phone and of a desk, light and dark: no violation of WCAG 2.2 A and AA, one main landmark, nothing
// wider than the screen, a skip link that the first Tab reaches, a visible focus, a title of its own; on a phone, no table of sentences that
// hides a column. Needs Chromium: $CHROMIUM, or one on the PATH. Prints what is wrong, and ends with 1 if there is anything, with 77 without
// a browser. --shots keeps a picture of the first screen of each.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'

const [site, axe, ...rest] = process.argv.slice(2)
const shots = rest[0] === '--shots' ? rest.splice(0, 2)[1] : undefined
const pages = rest.length > 0 ? rest : ['index.html', 'docs/guide/tutorial.html', 'docs/guide/sockets.html',
    'docs/results/speed.html', 'files/docs/results/speed.html']
const screens = [{ width: 390, height: 844, mobile: true }, { width: 1440, height: 900, mobile: false }]
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const types = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', json: 'application/json' }
const tabs = 12

const program = [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome']
    .find(name => name && spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)
if (!program) {
    console.error('pages are checked by Chromium, which is not here; remedy: set CHROMIUM to the program (Debian: apt install chromium)')
    process.exit(77)
}
const wrong = []
const server = await serve()
const browser = launch()
try {
    const titles = new Map()
    for (const page of pages) {
        for (const screen of screens) {
            for (const scheme of ['light', 'dark']) {
                const found = await look(page, screen, scheme)
                found.faults.forEach(fault => wrong.push(`${page}, ${screen.width} px, ${scheme}: ${fault}`))
                titles.set(page, found.title)
            }
        }
    }
    const all = [...titles.values()]
    all.filter((title, i) => !title || all.indexOf(title) !== i).forEach(title => wrong.push(`a title of two pages, or none: "${title}"`))
} finally {
    browser.close()
    server.close()
}
wrong.forEach(line => console.error(line))
console.log(`${pages.length} pages, ${screens.length} widths, 2 schemes: ${wrong.length} faults`)
process.exitCode = wrong.length > 0 ? 1 : 0

async function serve() {
    const made = http.createServer((request, response) => {
        const file = path.join(site, path.normalize(decodeURIComponent(new URL(request.url, 'http://site').pathname)))
        fs.readFile(file, (failure, bytes) => {
            response.writeHead(failure ? 404 : 200, { 'content-type': types[path.extname(file).slice(1)] ?? 'application/octet-stream' })
            response.end(bytes)
        })
    })
    await new Promise(resolve => made.listen(0, '127.0.0.1', resolve))
    return made
}

// The browser over the pipe of its DevTools protocol: messages in JSON, each ended by a zero byte.
function launch() {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'site-check-'))
    const child = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run',
        '--disable-background-networking', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
    const answers = new Map()
    const waiters = []
    let text = ''
    let count = 0
    child.stdio[4].setEncoding('utf8').on('data', part => {
        const messages = (text + part).split('\0')
        text = messages.pop()
        messages.map(message => JSON.parse(message)).forEach(message => {
            if (message.id) {
                const { resolve, reject } = answers.get(message.id)
                answers.delete(message.id)
                message.error ? reject(new Error(message.error.message)) : resolve(message.result)
            } else {
                waiters.filter(waiter => waiter.event === message.method).forEach(waiter => waiter.resolve())
            }
        })
    })
    child.on('exit', status => answers.forEach(({ reject }) => reject(new Error(`Chromium ended with ${status}`))))
    return {
        send: (method, params = {}, sessionId) => new Promise((resolve, reject) => {
            answers.set(++count, { resolve, reject })
            child.stdio[3].write(JSON.stringify({ id: count, method, params, sessionId }) + '\0')
        }),
        event: event => new Promise(resolve => waiters.push({ event, resolve })),
        close() {
            child.on('exit', () => fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))
            child.kill()
        }
    }
}

async function look(page, screen, scheme) {
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
    const send = (method, params) => browser.send(method, params, sessionId)
    const evaluate = async expression => {
        const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
        if (exceptionDetails) {
            throw new Error(`${page}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
        }
        return result.value
    }
    await send('Page.enable')
    await send('Emulation.setDeviceMetricsOverride', { ...screen, deviceScaleFactor: 1 })
    await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }] })
    const loaded = browser.event('Page.loadEventFired')
    await send('Page.navigate', { url: `http://127.0.0.1:${server.address().port}/${page}` })
    await loaded
    await evaluate(`(${settle})()`)
    if (shots) {
        fs.mkdirSync(shots, { recursive: true })
        const { data } = await send('Page.captureScreenshot', { format: 'png' })
        fs.writeFileSync(path.join(shots, `${page.replace(/\.html$/, '').replaceAll('/', '-')}-${screen.width}-${scheme}.png`), data, 'base64')
    }
    const faults = await evaluate(`(${layout})(${screen.mobile})`)
    for (let i = 0; i < tabs; i++) {
        for (const type of ['keyDown', 'keyUp']) {
            await send('Input.dispatchKeyEvent', { type, key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 })
        }
        faults.push(...await evaluate(`(${focus})(${i === 0})`))
    }
    await evaluate('document.activeElement.blur()')
    await evaluate(fs.readFileSync(axe, 'utf8') + ';0')
    faults.push(...await evaluate(`axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(result => result.violations.map(
        each => each.id + ': ' + each.nodes.map(node => node.target.join(' ') + ' ' + node.any.concat(node.all, node.none).map(check => check.message).join('; '))
            .slice(0, 5).join(' | ')))`))
    const title = await evaluate('document.title')
    await browser.send('Target.closeTarget', { targetId })
    return { faults, title }
}

// What follows runs in the page.

// Waits for its fonts, its pictures and, of the pages that Vue brings to life, for that and the diagrams.
async function settle() {
    const until = async (condition, limit = 200) => {
        while (!condition() && limit-- > 0) {
            await new Promise(resolve => setTimeout(resolve, 50))
        }
    }
    await document.fonts.ready
    await until(() => [...document.images].every(image => image.complete))
    await until(() => !document.querySelector('#app') || document.querySelector('#app').__vue_app__)
    await until(() => [...document.querySelectorAll('pre.mermaid')].every(diagram => diagram.querySelector('svg')))
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}

function layout(phone) {
    const faults = []
    const width = document.scrollingElement.scrollWidth
    if (width > innerWidth) {
        const widest = [...document.querySelectorAll('body *')].filter(each => each.getBoundingClientRect().right > innerWidth + 1)
            .slice(0, 3).map(each => each.tagName + '.' + each.className)
        faults.push(`is ${width} px wide: ${widest.join(', ')}`)
    }
    const mains = document.querySelectorAll('main, [role=main]').length
    if (mains !== 1) {
        faults.push(`has ${mains} main landmarks`)
    }
    for (const table of phone ? document.querySelectorAll('table') : []) {
        const box = table.closest('.wide') ?? table
        const hidden = [...table.querySelectorAll('td')].filter(cell => cell.getBoundingClientRect().right > box.getBoundingClientRect().right + 1)
        if (hidden.some(cell => cell.textContent.trim().length > 40)) {
            faults.push(`hides a column of sentences: ${table.textContent.trim().slice(0, 40).replace(/\s+/g, ' ')}`)
        }
    }
    const last = [...document.querySelectorAll('.charts figure')].at(-1)
    if (!phone && last && last.getBoundingClientRect().bottom > innerHeight) {
        faults.push('has charts below the first screen')
    }
    return faults
}

function focus(first) {
    const at = document.activeElement
    if (at === document.body) {
        return []
    }
    const faults = []
    const name = `${at.tagName.toLowerCase()} "${(at.textContent || at.getAttribute('aria-label') || '').trim().slice(0, 30)}"`
    if (first && document.querySelector('nav') && !(at.hash && document.querySelector(at.hash))) {
        faults.push(`the first Tab leads to ${name}, no skip link`)
    }
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
    if ((outlineStyle === 'none' || outlineWidth === '0px') && boxShadow === 'none') {
        faults.push(`no focus to be seen on ${name}`)
    }
    const box = at.getBoundingClientRect()
    if (box.width < 2 || box.height < 2 || box.right <= 0 || box.left >= innerWidth) {
        faults.push(`the focus is outside of the screen on ${name}`)
    }
    return faults
}
