import { useEffect, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import { setParams } from '../../app/location.ts'
import { count, percent } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import type { AskFailure, ShownRow } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { textIn } from './row-parts.ts'
import { nextAnswer, type Shown } from './search.ts'

/** Patterns that are listed. */
const MAX_PATTERNS = 50

/** Longer patterns are cut, in UTF-16 units. */
const PATTERN_CHARS = 500

/** A query over the rows of another one: the stage begins a line, since a comment ends at one. */
function behind(query: string, stage: string): string {
  return `${query.trim() === '' ? '*' : query}\n| ${stage}`
}

/** Returns the fixed parts of a pattern as a filter: the words that all of its rows have. */
export function filterOf(pattern: string): string {
  const parts = pattern.split(/<[^>]*>/).map((part) => part.trim())
  const words = parts.filter((part) => /[\p{L}\p{N}]/u.test(part))
  return words.map((part) => JSON.stringify(part)).join(' ')
}

/** The rows of an answer, grouped by the template of their texts. */
export function PatternsView({ shown }: { readonly shown: Shown }): JSX.Element {
  const { ask } = useServices()
  const { domain, query, dialect } = shown.view
  const [rows, setRows] = useState<readonly ShownRow[]>()
  const [failure, setFailure] = useState<AskFailure>()
  useEffect(() => {
    const run = new AbortController()
    const answer = nextAnswer()
    const text = behind(query, `patterns ${MAX_PATTERNS}`)
    const read = async (): Promise<void> => {
      const request = { answer, domain, query: text, range: shown.range, dialect, maxRows: MAX_PATTERNS }
      try {
        await ask('query', request, { signal: run.signal })
        setRows(await ask('rows', { answer, from: 0, to: MAX_PATTERNS, maxChars: PATTERN_CHARS }))
        await ask('drop', { answer })
      } catch (error) {
        const found = failureOf(error)
        if (found.kind !== 'cancelled') setFailure(found)
      }
    }
    void read()
    return () => run.abort()
  }, [ask, shown.answer])
  if (failure !== undefined) return <Failure failure={failure} query={behind(query, 'patterns')} />
  const hitsOf = (row: ShownRow): number => Number(textIn(row, 'hits') ?? 0)
  const most = Math.max(1, ...(rows ?? []).map(hitsOf))
  return (
    <div
      class="table-scroll"
      tabIndex={0}
      role="region"
      aria-label={texts.forms.patterns}
      aria-busy={rows === undefined}
    >
      <table class="groups patterns">
        <thead>
          <tr>
            <th scope="col">{texts.patterns.hits}</th>
            <th scope="col">{texts.patterns.pattern}</th>
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => {
            const pattern = textIn(row, 'pattern') ?? ''
            return (
              <tr key={pattern}>
                <td class="number">
                  <span class="bar" style={{ width: percent(hitsOf(row), most) }} />
                  {count(hitsOf(row))}
                </td>
                <td>
                  <button
                    type="button"
                    class="pattern"
                    title={`${texts.patterns.open}. ${texts.patterns.sample}: ${textIn(row, 'sample') ?? ''}`}
                    onClick={() => setParams({ q: behindFilter(query, pattern), form: undefined, row: undefined })}
                  >
                    {pattern.split(/(<[^>]*>)/).map((part, i) => (i % 2 === 1 ? <var key={i}>{part}</var> : part))}
                  </button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function behindFilter(query: string, pattern: string): string {
  const filter = filterOf(pattern)
  return filter === '' ? query : behind(query, `filter ${filter}`)
}
