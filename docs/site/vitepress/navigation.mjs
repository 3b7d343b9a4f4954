// The side bar: the lists of the README's last section, where examples and decisions have the rows of their tables below them.
import fs from 'node:fs'
import path from 'node:path'

/** Returns the side bar for the documents in a directory. */
export function navigation(pages) {
    const readme = fs.readFileSync(path.join(pages, 'index.md'), 'utf8')
    const groups = [{ text: 'Panama Verbs', items: [{ text: 'Start and use', link: '/' }] }]
    for (const line of readme.slice(readme.indexOf('## Where to look next')).split('\n')) {
        const group = /^\*\*(.+)\*\*$/.exec(line)
        if (group) {
            groups.push({ text: group[1], collapsed: false, items: [] })
        } else {
            for (const [, text, file] of line.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)\)/g)) {
                groups.at(-1).items.push(item(pages, text, file))
            }
        }
    }
    return groups
}

function item(pages, text, file) {
    const one = { text: text[0].toUpperCase() + text.slice(1), link: address(file) }
    const directory = path.dirname(file)
    if (path.basename(file) === 'README.md') {
        one.collapsed = true
        const list = fs.readFileSync(path.join(pages, directory, 'index.md'), 'utf8')
        one.items = [...list.matchAll(/^\| \[[^\]]+\]\(([^/)#\s]+\.md)\)/gm)]
            .map(([, name]) => ({ text: title(path.join(pages, directory, name)), link: address(path.join(directory, name)) }))
    }
    return one
}

function address(file) {
    return '/' + file.replace(/README\.md$/, '').replace(/\.md$/, '')
}

function title(file) {
    return /^# (.+)$/m.exec(fs.readFileSync(file, 'utf8'))[1].replaceAll('`', '')
}
