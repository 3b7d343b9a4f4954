// The landing page: what the project is, its picture, the output of its demo, and bars of what docs/results has measured.
import fs from 'node:fs'
import path from 'node:path'

const charts = [
    ['Round trip over TCP', 'comparison.json', '64 B Send/Recv, round trip'],
    ['Round trip on one host', 'one-host.json', 'One host: 64 B Send/Recv, round trip'],
    ['Batches of 64 messages over TCP', 'comparison.json', '64 B Sends, in batches of 64'],
    ['Batches of 64 messages on one host', 'one-host.json', 'One host: 64 B Sends, in batches of 64']
]
const units = { MICROSECONDS: [1e-3, 'µs', 'less is better'], MESSAGES: [1e-6, 'M/s', 'more is better'] }
const ours = 'Panama Verbs'

/** Returns the landing page of the documents in a directory. */
export function landing(checkout) {
    return `---
layout: home
hero:
  name: Panama Verbs
  text: RDMA for Java
  tagline: One-sided reads and writes, messages and atomics on InfiniBand, RoCE and iWARP, for systems whose latency counts in microseconds. Java 22+, no JNI, no allocation on the data path.
  image:
    src: /rdma.svg
    alt: "One RDMA Write: from the memory of one machine into that of another, past the processor"
  actions:
    - theme: brand
      text: Tutorial, 15 minutes
      link: /docs/guide/tutorial
    - theme: alt
      text: What is RDMA?
      link: /docs/guide/learn/rdma
    - theme: alt
      text: Overview
      link: /start
features:
  - title: Start without hardware
    details: The provider iwarp is the whole iWARP protocol in Java over TCP. It runs on any laptop, container or CI machine, and interoperates with Linux.
  - title: The verbs you know
    details: Queue pairs, completion queues, memory regions and windows, named as in libibverbs and the RFCs. The same program runs on RDMA devices.
  - title: Failures with remedies
    details: Every failure names its cause and its remedy. verbs doctor checks a machine, verbs decode reads a capture, verbs top monitors a process.
---

## Why RDMA

A socket costs each message system calls, copies and a wake-up of the peer. RDMA costs one post, and a one-sided operation runs no code of the peer's program.
[Verbs, sockets or Netty?](docs/guide/learn/which.md) says when that is worth it.

## Try it

\`\`\`text
${demo(checkout)}
\`\`\`

The demo needs a JDK 22 or later and Maven, no RDMA hardware and no root. Then write [your own program](docs/guide/tutorial.md), add the [dependency](docs/guide/depend.md) to yours,
or port one from [libibverbs](docs/guide/learn/from-libibverbs.md) or from [JUCX, DiSNI or Netty](docs/guide/learn/from-others.md).

## How fast

<div class="charts">
${charts.map(chart => bars(checkout, ...chart)).join('\n')}
</div>

Medians of 64-byte messages between two processes that poll, each with one processor of a virtual machine: over TCP with the CRC on, on one host over shared memory.
[All charts](docs/results/speed.html), [what limits them](docs/results/speed.md).

## Status

**Not tried on an RDMA adapter yet**: [what was tried](docs/guide/ibverbs.md#what-was-tried), and [what to run on yours](docs/guide/first-adapter.md).
Nothing is released, and the API may still change.
`
}

function demo(checkout) {
    const output = /^```\w*\n(\$ \.\/verbs demo\n[^]*?)\n```$/m.exec(fs.readFileSync(path.join(checkout, 'README.md'), 'utf8'))
    if (!output) {
        throw new Error('README.md has no output of "$ ./verbs demo", which the landing page shows')
    }
    // A phone has no room for what is blank in all lines.
    const [command, ...lines] = output[1].split('\n')
    const blank = i => lines.every(line => (line[i] ?? ' ') === ' ')
    return [command, ...lines.map(line => [...line].filter((_, i) => i < 2 || !blank(i) || !blank(i - 1) || !blank(i - 2)).join(''))].join('\n')
}

function bars(checkout, title, report, question) {
    const { tables } = JSON.parse(fs.readFileSync(path.join(checkout, 'docs/results', report), 'utf8'))
    const results = tables.find(table => table.title === question)?.results.filter(result => !result.title.includes('sysv'))
    if (!results) {
        throw new Error(`docs/results/${report} has no table "${question}"`)
    }
    const [factor, symbol, direction] = units[results[0].unit]
    const rows = results.map(result => ({ name: result.title.startsWith(ours) ? ours : result.title, value: median(result.rounds) * factor }))
    const most = Math.max(...rows.map(row => row.value))
    // Ours first, then the others in the order of the report.
    rows.sort((a, b) => (b.name === ours) - (a.name === ours))
    const lines = rows.map(({ name, value }) => `<tr${name === ours ? ' class="ours"' : ''}><th scope="row">${name}</th>`
        + `<td><span class="bar" style="width:${(value / most * 100).toFixed(1)}%"></span></td><td>${rounded(value)} ${symbol}</td></tr>`)
    return `<table><caption>${title}, ${direction}</caption><tbody>\n${lines.join('\n')}\n</tbody></table>`
}

function median(rounds) {
    const sorted = [...rounds].sort((a, b) => a - b)
    return (sorted[sorted.length - 1 >> 1] + sorted[sorted.length >> 1]) / 2
}

// As the reports round: halves up, of the decimal figure.
function rounded(value) {
    return (Math.round(Number((value * 100).toPrecision(12))) / 100).toFixed(2)
}
