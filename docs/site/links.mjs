// Checks the site: usage: node links.mjs SITE [BASE]. Each link of each page, also from and into the Javadoc, leads to a file, and to a name in
// it if it has one; each page is led to by another. Prints what does not, and ends with 1 if there is anything.
import fs from 'node:fs'
import path from 'node:path'

const [site, base = '/'] = process.argv.slice(2)
const files = new Set(fs.readdirSync(site, { recursive: true }).filter(name => fs.statSync(path.join(site, name)).isFile()))
const pages = [...files].filter(name => name.endsWith('.html'))
const ids = new Map(pages.map(page => [page, idsOf(read(page))]))
const led = new Set(['index.html', '404.html'])
const broken = []
let count = 0

for (const page of pages) {
    for (const link of linksOf(read(page))) {
        count++
        const [target, anchor] = resolve(page, link)
        if (target !== page) {
            led.add(target)
        }
        if (!files.has(target)) {
            broken.push(`${page}: ${link}: there is no ${target}`)
        } else if (anchor && ids.has(target) && !ids.get(target).has(anchor)) {
            broken.push(`${page}: ${link}: ${target} has no name ${anchor}`)
        }
    }
}
// Javadoc has pages that only its own search leads to.
const alone = pages.filter(page => !led.has(page) && !page.startsWith('javadoc/'))
broken.push(...alone.map(page => `${page}: no page leads there`))
broken.forEach(line => console.error(line))
console.log(`${count} links of ${pages.length} pages, ${broken.length} broken`)
process.exitCode = broken.length > 0 || count === 0 ? 1 : 0

function read(page) {
    return fs.readFileSync(path.join(site, page), 'utf8').replace(/<script\b.*?<\/script>/gs, '').replace(/<!--.*?-->/gs, '')
}

function idsOf(html) {
    return new Set([...html.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => plain(id)))
}

// What leads out of the site is not asked.
function linksOf(html) {
    return [...html.matchAll(/<[a-z]+\s[^>]*?\b(?:href|src)="([^"]*)"/g)]
        .map(([, link]) => plain(link))
        .filter(link => link && !/^[a-z][a-z+.-]*:/i.test(link) && !link.startsWith('//'))
}

function resolve(page, link) {
    const [address, anchor] = link.split('#')
    const plainAddress = decodeURIComponent(address.split('?')[0])
    let target = page
    if (plainAddress.startsWith('/')) {
        target = plainAddress.startsWith(base) ? plainAddress.slice(base.length) : `outside of ${base}: ${plainAddress}`
    } else if (plainAddress) {
        target = path.posix.join(path.posix.dirname(page), plainAddress)
    }
    if (target === '' || target === '.' || target.endsWith('/')) {
        target = path.posix.join(target, 'index.html')
    } else if (!files.has(target) && files.has(`${target}.html`)) {
        target += '.html'
    }
    return [target, anchor && decodeURIComponent(anchor)]
}

function plain(text) {
    return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}
