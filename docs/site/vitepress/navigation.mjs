// The side bar: a list of its own, of files of the repository. What is not in it is reached from docs/README.md, "All documents".
const groups = {
    Start: [
        ['Overview', 'README.md'],
        ['Tutorial', 'docs/guide/tutorial.md'],
        ['What RDMA is', 'docs/guide/learn/rdma.md'],
        ['Verbs, sockets or Netty?', 'docs/guide/learn/which.md'],
        ['From libibverbs', 'docs/guide/learn/from-libibverbs.md'],
        ['From JUCX, DiSNI or Netty', 'docs/guide/learn/from-others.md'],
        ['Examples', 'docs/guide/examples/README.md']
    ],
    Program: [
        ['Flow control', 'docs/guide/learn/flow-control.md'],
        ['Signaling and polling', 'docs/guide/learn/signaling.md'],
        ['Memory', 'docs/guide/learn/memory.md'],
        ['Threads', 'docs/guide/learn/threads.md'],
        ['Ordering', 'docs/guide/ordering.md'],
        ['Many connections', 'docs/guide/events.md']
    ],
    Run: [
        ['Dependencies and packaging', 'docs/guide/depend.md'],
        ['Provider iwarp', 'docs/guide/iwarp.md'],
        ['Your first adapter', 'docs/guide/first-adapter.md'],
        ['Provider ibverbs', 'docs/guide/ibverbs.md'],
        ['Platforms, containers', 'docs/guide/platforms.md'],
        ['Monitoring', 'docs/guide/watching.md'],
        ['Tuning for latency', 'docs/guide/latency.md'],
        ['Sockets over RDMA', 'docs/guide/sockets.md']
    ],
    Reference: [
        ['Errors', 'docs/guide/errors.md'],
        ['FAQ', 'docs/guide/learn/faq.md'],
        ['Commands', 'docs/guide/commands.md'],
        ['Glossary', 'docs/guide/learn/glossary.md'],
        ['Changes', 'docs/CHANGELOG.md']
    ],
    More: [
        ['All documents', 'docs/README.md'],
        ['Architecture', 'docs/architecture.md']
    ]
}

export const sidebar = Object.entries(groups).map(([text, items]) => ({
    text,
    items: items.map(([name, file]) => ({ text: name, link: address(file) }))
}))

/** Returns where the site has a document of the repository; README.md is the page "start", as the landing page is the index. */
export function address(file) {
    return '/' + (file === 'README.md' ? 'start' : file.replace(/README\.md$/, '').replace(/\.md$/, ''))
}
