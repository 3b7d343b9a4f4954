// The landing page: what the project is, its picture, and bars of what docs/results has measured.
import fs from 'node:fs'
import path from 'node:path'

const charts = [
    ['Round trip over TCP', 'comparison.md', '64 B Send/Recv, round trip', 'less is better'],
    ['Round trip on one host', 'one-host.md', 'One host: 64 B Send/Recv, round trip', 'less is better'],
    ['Messages in batches over TCP', 'comparison.md', '64 B Sends, in batches of 64', 'more is better'],
    ['Messages in batches on one host', 'one-host.md', 'One host: 64 B Sends, in batches of 64', 'more is better']
]

/** Returns the landing page of the documents in a directory. */
export function landing(checkout) {
    return `---
layout: home
hero:
  name: Panama Verbs
  text: RDMA for Java
  tagline: One-sided reads and writes, messages and atomics on InfiniBand, RoCE and iWARP. Java 22 or later, no JNI, no allocation on the data path.
  actions:
    - theme: brand
      text: Your first messages in fifteen minutes
      link: /docs/guide/tutorial
    - theme: alt
      text: What RDMA is
      link: /docs/guide/learn/rdma
    - theme: alt
      text: Overview
      link: /start
features:
  - title: Runs without hardware
    details: The provider iwarp is the whole iWARP protocol in Java over TCP, for any laptop, container or CI machine. It interoperates with Linux.
  - title: The verbs you know
    details: Queue pairs, completion queues, memory regions and windows, with the names of libibverbs and the RFCs. The same program runs on RDMA devices.
  - title: Says what went wrong
    details: Every failure names its cause and its remedy. verbs doctor checks a machine, verbs decode reads a capture, verbs top watches a process.
---

## Past the processor

![One RDMA Write: from the memory of one machine into that of another, past the processor](docs/pictures/rdma.svg)

A socket costs each message system calls, copies and a wake-up of the peer. RDMA costs one post, and a one-sided operation runs no code of the peer's program.

## Measured

<div class="charts">
${charts.map(chart => bars(checkout, ...chart)).join('\n')}
</div>

64-byte messages between two processes that poll, each with one processor of a virtual machine; medians. Conditions, ranges and percentiles: [TCP](docs/results/comparison.md),
[one host](docs/results/one-host.md). **No figure is of an RDMA adapter: the project has not been tried on one yet.**

## Choose

[Verbs, sockets or Netty?](docs/guide/learn/which.md) says when RDMA is worth it. Those who know it begin with the pages for
[libibverbs](docs/guide/learn/from-libibverbs.md) or [JUCX, DiSNI and Netty](docs/guide/learn/from-others.md).
`
}

function bars(checkout, title, page, heading, direction) {
    const text = fs.readFileSync(path.join(checkout, 'docs/results', page), 'utf8')
    const begin = text.indexOf(`## ${heading}\n`)
    const rows = [...text.slice(begin, text.indexOf('\n## ', begin)).matchAll(/^\| ([^|]+?) \| ([\d.]+) (\S+) \|/gm)]
        .map(([, name, value, unit]) => ({ name, value: Number(value), text: `${value} ${unit}` }))
        .filter(({ name }) => !name.includes('sysv'))
    if (begin < 0 || rows.length === 0) {
        throw new Error(`docs/results/${page} has no table "${heading}"`)
    }
    const most = Math.max(...rows.map(row => row.value))
    // Ours first, then the others in the order of the page.
    rows.sort((a, b) => ours(b) - ours(a))
    const lines = rows.map(row => `<tr${ours(row) ? ' class="ours"' : ''}><th scope="row">${row.name}</th>`
        + `<td><span class="bar" style="width:${(row.value / most * 100).toFixed(1)}%"></span></td><td>${row.text}</td></tr>`)
    return `<table><caption>${title}, ${direction}</caption><tbody>\n${lines.join('\n')}\n</tbody></table>`
}

function ours(row) {
    return row.name.startsWith('Panama Verbs')
}
