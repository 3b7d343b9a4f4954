// Collects what the site is made of: usage: node pages.mjs CHECKOUT JAVADOC PAGES. Copies all documents of the checkout into
// PAGES, under the paths that they have, and makes a page of each source file or directory that one of them links to. What is
// documented by JAVADOC, the directory that javadoc wrote, has its page there and needs no other. The README is the page "start", the
// index is the landing page. Prints how many pages there are.
import fs from 'node:fs'
import path from 'node:path'
import { landing } from './landing.mjs'

const [checkout, javadoc, pages] = process.argv.slice(2)
const link = /\]\(([^)\s#]*)(?:#[^)\s]*)?\)/g
const block = /^```.*?^```$/gms
const languages = { java: 'java', xml: 'xml', c: 'c', json: 'json', mjs: 'js', md: 'md', properties: 'properties' }
const types = documentedTypes()
const made = new Set()

for (const page of documents('.')) {
    const text = fs.readFileSync(path.join(checkout, page), 'utf8')
    write(page === 'README.md' ? 'start.md' : page.replace(/README\.md$/, 'index.md'), text)
    makeLinked(page, text)
}
const first = landing(checkout)
write('index.md', first)
makeLinked('index.md', first)
fs.cpSync(path.join(checkout, 'docs/pictures/rdma.svg'), path.join(pages, 'public/rdma.svg'))
fs.writeFileSync(path.join(pages, 'types.json'), JSON.stringify(types))
console.log(`${made.size} pages`)

// The documents below a directory; none of what is built, hidden or a source.
function documents(directory) {
    return fs.readdirSync(path.join(checkout, directory), { withFileTypes: true }).flatMap(entry => {
        const name = path.join(directory, entry.name)
        if (entry.isDirectory()) {
            return /^(target|src|\..*)$/.test(entry.name) ? [] : documents(name)
        }
        return name.endsWith('.md') ? [name] : []
    })
}

// Where types are documented: by the path of their source, and by simple names that only one of them has.
function documentedTypes() {
    const sources = {}
    const names = {}
    for (const page of fs.readdirSync(javadoc, { recursive: true })) {
        const [, module, file, type] = /^([\w.]+)\/((?:\w+\/)+([A-Z][\w.]*))\.html$/.exec(page) ?? []
        if (module) {
            names[type] = type in names ? '' : `/javadoc/${page}`
            for (const root of ['', 'provider/']) {
                sources[`${root}${module.replace('org.panamaverbs.', '')}/src/main/java/${file}.java`] = `/javadoc/${page}`
            }
        }
    }
    return { sources, names: Object.fromEntries(Object.entries(names).filter(([, page]) => page)) }
}

// Makes the page of a source file, or that of a directory and of all in it. HTML, data and pictures are taken as they are.
function make(file) {
    const from = path.join(checkout, file)
    if (made.has(pageOf(file)) || !fs.existsSync(from)) {
        return
    }
    if (file.endsWith('.svg')) {
        fs.cpSync(from, path.join(pages, file))
        return
    }
    if (fs.statSync(from).isDirectory()) {
        const inside = fs.readdirSync(from, { recursive: true })
            .map(name => path.join(file, name))
            .filter(name => !name.split(path.sep).includes('target') && fs.statSync(path.join(checkout, name)).isFile())
            .sort()
        const items = inside.map(name => `- [${path.relative(file, name)}](${path.relative(path.join('source', file), pageOf(name))})`)
        write(path.join('source', file, 'index.md'), `# ${path.basename(file)}\n\n\`${file}\`\n\n${items.join('\n')}\n`)
        inside.forEach(make)
    } else if (/\.(html|json)$/.test(file)) {
        const to = path.join(pages, 'public/files', file)
        fs.cpSync(from, to)
        if (file.endsWith('.html')) {
            const home = path.relative(path.dirname(path.join('files', file)), 'index.html')
            fs.writeFileSync(to, fs.readFileSync(to, 'utf8').replace('<h1>Panama Verbs', `<h1><a href="${home}">Panama Verbs</a>`))
        }
    } else {
        const text = fs.readFileSync(from, 'utf8')
        const language = languages[path.extname(file).slice(1)] ?? (text.startsWith('#!') ? 'sh' : 'text')
        write(pageOf(file), `# ${path.basename(file)}\n\n\`${file}\`\n\n~~~~${language}\n${text}\n~~~~\n`)
    }
}

// Makes what a document links to and is no document.
function makeLinked(page, text) {
    for (const [, target] of text.replace(block, '').matchAll(link)) {
        const file = path.join(path.dirname(page), target)
        if (target && !target.includes(':') && !target.endsWith('.md') && !types.sources[file]) {
            make(file)
        }
    }
}

function pageOf(file) {
    return path.join('source', `${file}.md`)
}

function write(page, text) {
    const to = path.join(pages, page)
    fs.mkdirSync(path.dirname(to), { recursive: true })
    fs.writeFileSync(to, text)
    made.add(page)
}
