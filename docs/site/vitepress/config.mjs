// The site: what pages.mjs collected.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { sidebar } from './navigation.mjs'

const pages = fileURLToPath(new URL('../pages', import.meta.url))
const types = JSON.parse(fs.readFileSync(path.join(pages, 'types.json'), 'utf8'))
const base = process.env.SITE_BASE ?? '/'
const version = process.env.SITE_VERSION ?? ''
const home = process.env.SITE_HOME ?? ''
// A table is read by rows on a phone if a cell is longer than this, or both of its two columns.
const longestFigure = 60
const longestOfTwo = 24

export default defineConfig({
    title: 'Panama Verbs',
    description: 'RDMA for Java: InfiniBand, RoCE and iWARP by the verbs of libibverbs',
    lang: 'en',
    base,
    srcDir: 'pages',
    outDir: '../site',
    // Browsers since 2022: the patched esbuild does not rewrite destructuring for the older ones that Vite names.
    vite: { build: { target: ['chrome107', 'edge107', 'firefox104', 'safari16'] }, plugins: [mainLandmark()] },
    // What "Edit this page" leads to has the names of the repository.
    transformPageData: ({ filePath }) => ({ filePath: filePath === 'start.md' ? 'README.md' : filePath.replace(/index\.md$/, 'README.md') }),
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    markdown: {
        // The plain ones have reds, oranges and greys below a contrast of 4.5 : 1.
        theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
        // The names that GitHub gives headings, which the documents link to.
        anchor: { slugify: text => text.trim().toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-') },
        config(md) {
            md.core.ruler.push('tables-on-phones', state => tables(state.tokens))
            md.core.ruler.push('links-of-the-repository', state => state.tokens.forEach((token, i) => {
                if (token.type === 'inline') {
                    links(token.children, state.env.relativePath ?? '', state.tokens[i - 1]?.type === 'heading_open', state.Token)
                }
            }))
            // VitePress has a rule that leaves attributes out.
            md.renderer.rules.table_open = (tokens, i, options, env, self) => {
                tokens[i].attrSet('tabindex', '0')
                return self.renderToken(tokens, i, options)
            }
            const fence = md.renderer.rules.fence
            md.renderer.rules.fence = (tokens, i, ...rest) => tokens[i].info.trim() === 'mermaid'
                ? `<pre class="mermaid" tabindex="0" v-pre>${md.utils.escapeHtml(tokens[i].content)}</pre>\n`
                : fence(tokens, i, ...rest)
            md.renderer.rules.code_block = (tokens, i, ...rest) => {
                tokens[i].info = 'text'
                return fence(tokens, i, ...rest)
            }
        }
    },
    themeConfig: {
        nav: [
            { text: 'Tutorial', link: '/docs/guide/tutorial' },
            { text: 'Examples', link: '/docs/guide/examples/' },
            { text: 'Speed', link: '/docs/results/speed' },
            { text: 'FAQ', link: '/docs/guide/learn/faq' },
            { text: 'Javadoc', link: '/javadoc/index.html', target: '_self' },
            { text: version, link: '/docs/CHANGELOG' }
        ],
        sidebar,
        outline: [2, 3],
        notFound: { linkLabel: 'Home page', linkText: 'Home page' },
        // Not before the poms name a home where somebody could edit.
        editLink: home.includes('.invalid') || !home ? undefined : {
            text: 'Edit this page',
            pattern: `${home}/panama-verbs/edit/main/:path`
        },
        search: {
            provider: 'local',
            options: {
                // Sources are to be read, not searched.
                _render: (text, env, md) => env.relativePath.startsWith('source/') ? '' : md.render(text, env)
            }
        }
    }
})

// VitePress has a main landmark on pages of documents alone.
function mainLandmark() {
    return {
        name: 'main-landmark',
        enforce: 'pre',
        transform(code, id) {
            if (!/theme-default\/(components\/VPHome|NotFound)\.vue$/.test(id)) {
                return
            }
            const made = code.replace(/<template>\s*<div\b([^]*)<\/div>\s*<\/template>/, '<template><main$1</main></template>')
            if (made === code) {
                throw new Error(`${id} does not begin with a <div> any more`)
            }
            return made
        }
    }
}

// Gives each cell of a table with sentences the name of its column, by which a narrow screen shows it. A heading without text is a cell, and
// figures keep their units.
function tables(tokens) {
    let names = []
    let table
    let column = 0
    tokens.forEach((token, i) => {
        if (token.type === 'table_open') {
            table = { token, cells: [], longest: [] }
            names = []
        } else if (token.type === 'th_open') {
            names.push(tokens[i + 1].content.replace(/[`*]/g, ''))
            if (names.at(-1) === '') {
                token.tag = tokens[i + 2].tag = 'td'
            }
        } else if (token.type === 'tr_open') {
            column = 0
        } else if (token.type === 'td_open') {
            tokens[i + 1].children.filter(child => child.type === 'text').forEach(text => {
                text.content = text.content.replace(/(\d) (?=([nµm]?s|[KMGT]i?B|B)\b|[MG]B?\/s)/g, '$1\u00a0')
            })
            table.longest[column] = Math.max(table.longest[column] ?? 0, tokens[i + 1].content.length)
            table.cells.push([token, names[column++] ?? ''])
        } else if (token.type === 'table_close' && (names.length > 2 ? Math.max(...table.longest) > longestFigure
            : Math.min(...table.longest) > longestOfTwo)) {
            table.token.attrJoin('class', 'rows')
            table.cells.forEach(([cell, name]) => cell.attrSet('data-name', name))
        }
    })
}

// Leads a link to a source file to its Javadoc or its page, and links names of documented types.
function links(tokens, page, heading, Token) {
    let open = false
    for (let i = 0; i < tokens.length; i++) {
        const token = tokens[i]
        if (token.type === 'link_open') {
            open = true
            lead(token, page)
        } else if (token.type === 'link_close') {
            open = false
        } else if (token.type === 'code_inline' && !open && !heading && types.names[token.content]) {
            const before = new Token('link_open', 'a', 1)
            toJavadoc(before, types.names[token.content])
            tokens.splice(i, 1, before, token, new Token('link_close', 'a', -1))
            i += 2
        }
    }
}

function lead(token, page) {
    const [target, anchor] = token.attrGet('href').split('#')
    if (!target || target.includes(':') || target.startsWith('/')) {
        return
    }
    const file = path.posix.join(path.posix.dirname(page), target)
    const up = path.posix.relative(path.posix.dirname(page), '.') || '.'
    if (target.endsWith('.md')) {
        const name = file === 'README.md' ? 'start.md' : 'index.md'
        token.attrSet('href', target.replace(/README\.md$/, name) + (anchor ? `#${anchor}` : ''))
    } else if (types.sources[file]) {
        toJavadoc(token, types.sources[file])
    } else if (/\.(html|json)$/.test(file)) {
        // No page of the program that shows the others, and perhaps a name that one of those has.
        token.attrSet('href', `${base}files/${file}`)
        token.attrSet('target', '_self')
    } else if (fs.existsSync(path.join(pages, 'source', `${file}.md`))) {
        token.attrSet('href', `${up}/source/${file}.md`)
    } else {
        token.attrSet('href', `${up}/source/${file}/index.md`)
    }
}

function toJavadoc(token, page) {
    token.attrSet('href', base + page.slice(1))
    token.attrSet('target', '_self')
}
