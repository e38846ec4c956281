import { createLanguage } from '../../src/editor/index.ts'
import type { BlockLanguage } from '../../site/run/block.ts'
import type { RunBlock, Shown } from './blocks.ts'
import { escapeHtml, relativeTo } from './html.ts'

const language = createLanguage()

const names: Readonly<Record<BlockLanguage, string>> = {
  native: 'Sluice',
  logsql: 'LogsQL',
  logql: 'LogQL',
  promql: 'PromQL',
  traceql: 'TraceQL',
}

const foreignNames: Readonly<Record<string, string>> = {
  kql: 'KQL',
  logql: 'LogQL',
  lucene: 'Lucene',
  spl: 'SPL',
  sql: 'SQL',
}

/** A query in the colours of the editor. Other languages than the log language have none. */
function colouredQuery(text: string, of: BlockLanguage): string {
  if (of !== 'native' && of !== 'logsql') return escapeHtml(text)
  let html = ''
  let end = 0
  for (const { span, kind } of language.tokens(text)) {
    if (span.start < end) continue
    html += `${escapeHtml(text.slice(end, span.start))}<span class="tok-${kind}">${escapeHtml(text.slice(span.start, span.end))}</span>`
    end = span.end
  }
  return html + escapeHtml(text.slice(end))
}

/** Diagnostics as a list: message, notes, and the titles of fixes. The page makes the same list after a run. */
function diagnosticsHtml({ answer }: RunBlock, page: string, codes: ReadonlySet<string>): string {
  if (answer.diagnostics.length === 0) return ''
  const items = answer.diagnostics.map(({ code, severity, message, notes, fixes }) => {
    const address = relativeTo(page, `diagnostics/${code}.html`)
    const shown = codes.has(code) ? `<a href="${escapeHtml(address)}">${escapeHtml(code)}</a>` : escapeHtml(code)
    const more = [...notes, ...fixes.map(({ title }) => `Fix: ${title}`)].map((note) => `<p>${escapeHtml(note)}</p>`)
    return `<li class="${severity}"><p><strong>${severity}</strong> ${escapeHtml(message)} <span class="code">${shown}</span></p>${more.join('')}</li>`
  })
  return `<ul class="diagnostics">${items.join('')}</ul>`
}

function queryHtml(run: RunBlock, page: string, codes: ReadonlySet<string>): string {
  const { id, block, command, answer } = run
  const files = block.files.filter((_, i) => command !== '' || i === 0)
  const links = files.map(({ name, path }) => `<a href="${escapeHtml(relativeTo(page, path))}">${escapeHtml(name)}</a>`)
  const result =
    answer.text === ''
      ? ''
      : `<pre class="answer" tabindex="0" role="region" aria-label="Answer of ${id}">${escapeHtml(answer.text.trimEnd())}</pre>`
  const plan =
    answer.plan === ''
      ? ''
      : `<details class="plan" open><summary>Plan</summary><pre tabindex="0" role="region" aria-label="Plan of ${id}">${escapeHtml(answer.plan)}</pre></details>`
  return `<div class="query" id="${id}" data-block="${escapeHtml(JSON.stringify(block))}">
<div class="bar"><span class="language">${names[block.language]}</span> <span class="from">over ${links.join(', ')}</span></div>
${command === '' ? '' : `<p class="command"><code>${escapeHtml(command.replace(block.query, '…'))}</code></p>`}
<div class="editor"><pre class="text" tabindex="0" role="region" aria-label="Query ${id}"><code>${colouredQuery(block.query, block.language)}</code></pre></div>
<div class="messages">${diagnosticsHtml(run, page, codes)}</div>
<div class="result">${result}${plan}</div>
</div>
`
}

/** Returns a block of code that can be scrolled with the keyboard. */
export function codeHtml(text: string, language: string): string {
  const name = language === '' ? 'code' : language
  return `<pre class="code" tabindex="0" role="region" aria-label="${escapeHtml(name)}"><code>${escapeHtml(text)}</code></pre>\n`
}

/** Returns the parts of a fenced block of a page. */
export function shownHtml(parts: readonly Shown[], page: string, codes: ReadonlySet<string>): string {
  return parts
    .map((part) => {
      if (part.kind === 'code') return codeHtml(part.text, part.language)
      if (part.kind === 'query') return queryHtml(part.run, page, codes)
      const name = foreignNames[part.language] ?? part.language
      return `<div class="pair"><p class="language">${name}</p>${codeHtml(part.foreign, name)}${queryHtml(part.run, page, codes)}</div>\n`
    })
    .join('')
}
