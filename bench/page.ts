import { milliseconds, peersOf, slopesBetween, slower, slowFirst, standings, titleOf } from './report.ts'
import { questionClasses, questions } from './questions.ts'
import type { BenchResult } from './run.ts'

const LABEL_WIDTH = 190
const BARS_WIDTH = 520
const VALUE_WIDTH = 90
const BAR_HEIGHT = 11
const GAP = 12
/** The left end of the logarithmic scale in milliseconds; a shorter time has no bar. */
const LEAST_MS = 0.01

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const STYLE = `
:root { color-scheme: light dark; --text: #1c1c1e; --quiet: #6b6b70; --line: #d9d9de; --paper: #ffffff;
  --s0: #0b6e4f; --s1: #c8a200; --s2: #3a6ea5; --s3: #c0392b; --s4: #7d4f9e; --s5: #8a8a8f; --s6: #b5651d; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ececf0; --quiet: #9a9aa2; --line: #3a3a40; --paper: #161618;
    --s0: #35c48d; --s1: #e6c84a; --s2: #6fa8dc; --s3: #ee7766; --s4: #b58ad6; --s5: #a8a8ae; --s6: #dd9a5b; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--paper); max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; }
svg text { fill: var(--text); font: 11px system-ui, sans-serif; }
svg .quiet { fill: var(--quiet); }
svg line { stroke: var(--line); }
.key { display: inline-block; width: .8em; height: .8em; margin-right: .3em; }
.keys span { margin-right: 1.2em; white-space: nowrap; }
`

/** Returns a colour by the position of the peer. */
const colour = (index: number): string => `var(--s${index % 7})`

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`
  return `<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>`
}

/** Draws the bars of one class of questions on one logarithmic scale. */
function picture({ medians, loadSeconds }: BenchResult, ids: readonly string[]): string {
  const names = peersOf({ loadSeconds })
  const asked = questions.filter(({ id }) => ids.includes(id) && medians[id] !== undefined)
  const most = Math.max(1, ...asked.flatMap(({ id }) => Object.values(medians[id])))
  const decades = Math.ceil(Math.log10(most / LEAST_MS))
  const widthOf = (ms: number): number => (Math.max(0, Math.log10(ms / LEAST_MS)) / decades) * BARS_WIDTH
  const parts: string[] = []
  let y = 18
  for (const { id, title } of asked) {
    const times = medians[id]
    parts.push(`<text x="0" y="${y + 9}">${escaped(`${id} ${title}`)}</text>`)
    names.forEach((name, index) => {
      const ms = times[name]
      if (ms === undefined) return
      const width = widthOf(ms).toFixed(1)
      const told = `${titleOf(name)}: ${milliseconds(ms)} ms`
      parts.push(
        `<rect x="${LABEL_WIDTH}" y="${y}" width="${width}" height="${BAR_HEIGHT - 1}" fill="${colour(index)}"><title>${escaped(told)}</title></rect>`,
        `<text x="${LABEL_WIDTH + Number(width) + 4}" y="${y + 9}" class="quiet">${milliseconds(ms)}</text>`,
      )
      y += BAR_HEIGHT
    })
    y += GAP
  }
  const scale = Array.from({ length: decades + 1 }, (_, power) => {
    const x = LABEL_WIDTH + (power / decades) * BARS_WIDTH
    const label = String(Number((LEAST_MS * 10 ** power).toPrecision(1)))
    return `<line x1="${x}" x2="${x}" y1="14" y2="${y}"/><text x="${x}" y="10" text-anchor="middle" class="quiet">${label}</text>`
  })
  const width = LABEL_WIDTH + BARS_WIDTH + VALUE_WIDTH
  return `<svg viewBox="0 0 ${width} ${y}" role="img" aria-label="Milliseconds by question and engine">${scale.join('')}${parts.join('')}</svg>`
}

const listOf = (items: readonly string[]): string =>
  items.length === 0 ? '<p>None.</p>' : `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`

function engines(result: BenchResult): string {
  const { rows, loadSeconds, bytes } = result
  const byPeer = new Map(standings(result).map((each) => [each.peer, each]))
  const line = (name: string): readonly string[] => {
    const { residentBytes, diskBytes } = bytes[name]
    return [
      titleOf(name),
      byPeer.get(name)?.mean.toFixed(2) ?? '',
      String(byPeer.get(name)?.questions ?? ''),
      `${loadSeconds[name].toFixed(1)} s`,
      `${(residentBytes / rows).toFixed(0)} B`,
      diskBytes === undefined ? '' : `${(diskBytes / rows).toFixed(0)} B`,
    ]
  }
  const best = byPeer.get('best peer')
  const names = peersOf(result)
  return tableOf(
    ['Engine', 'Its time by ours', 'Questions', 'Load', 'Memory a row', 'Disk a row'],
    [
      ...names.map(line),
      ...(best === undefined ? [] : [['Best of them', best.mean.toFixed(2), String(best.questions), '', '', '']]),
    ],
  )
}

function slopesOf(results: readonly BenchResult[]): string {
  return results
    .slice(1)
    .map((large, i) => {
      const small = results[i]
      const names = peersOf(large).filter((name) => peersOf(small).includes(name))
      const lines = slopesBetween(small, large).map(({ title, factors }) => [
        title,
        ...names.map((name) => factors[name]?.toFixed(2) ?? ''),
      ])
      return (
        `<h2>From ${small.rows.toLocaleString('en')} to ${large.rows.toLocaleString('en')} rows</h2>` +
        `<p>How many times as long, of ${(large.rows / small.rows).toFixed(1)} times as many rows.</p>` +
        tableOf(['Questions', ...names.map(titleOf)], lines)
      )
    })
    .join('\n')
}

/** Writes the numbers behind the charts as a table. */
function numbers(result: BenchResult): string {
  const names = peersOf(result)
  const cell = (times: Readonly<Record<string, number>> | undefined, name: string): string =>
    times?.[name] === undefined ? '' : milliseconds(times[name])
  return tableOf(
    ['Milliseconds, warm (first)', ...names.map(titleOf)],
    questions
      .filter(({ id }) => result.medians[id] !== undefined)
      .map(({ id, title }) => [
        `${id} ${title}`,
        ...names.map((name) => {
          const warm = cell(result.medians[id], name)
          return warm === '' ? '' : `${warm} (${cell(result.firstMs[id], name)})`
        }),
      ]),
  )
}

/** Writes one HTML page without external files: charts of the last result, and growth from each result to the next. */
export function page(results: readonly BenchResult[]): string {
  const result = results.at(-1)
  if (result === undefined) throw new Error('There is no result to draw.')
  const { rows, threads, peerThreads, node, differences } = result
  const keys = peersOf(result)
    .map((name, i) => `<span><i class="key" style="background:${colour(i)}"></i>${escaped(titleOf(name))}</span>`)
    .join('')
  const classes = questionClasses
    .filter(({ ids }) => ids.some((id) => result.medians[id] !== undefined))
    .map(({ title, ids }) => `<h2>${escaped(title)}</h2><p class="keys">${keys}</p>${picture(result, ids)}`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>33 questions over ${rows.toLocaleString('en')} rows</title>
<style>${STYLE}</style></head><body>
<h1>33 questions over ${rows.toLocaleString('en')} rows</h1>
<p>Node ${escaped(node)}, our threads ${threads}, others’ ${peerThreads}. Answers were compared row by row before times counted. A time is the warm median, from the
prepared plan to the last row; scales are logarithmic. Ratios are geometric means of (t + 0.1 ms).</p>
${engines(result)}
<h2>Slower than 1.2 times the best of the others</h2>${listOf(slower(result))}
<h2>Slow when asked for the first time</h2>${listOf(slowFirst(result))}
${differences.length === 0 ? '' : `<h2>Answers that differ and have no time</h2>${listOf(differences)}`}
${classes.join('\n')}
${slopesOf(results)}
<h2>All times</h2>${numbers(result)}
</body></html>
`
}
