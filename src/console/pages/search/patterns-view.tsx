import { useMemo } from 'preact/hooks'
import type { JSX } from 'preact'
import { setParams } from '../../app/location.ts'
import { count, percent } from '../../app/numbers.ts'
import { texts } from '../../app/texts.ts'
import type { ShownRow } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { Sparkline } from '../../widgets/sparkline.tsx'
import { isCut, patternTimes, timesQuery, MAX_BARS, MAX_TIMES_CHARS } from './pattern-times.ts'
import { textIn } from './row-parts.ts'
import type { Shown } from './search.ts'
import { behind } from './answers.ts'
import { useSideQuery } from './side-query.ts'

/** Maximum number of patterns that are listed. */
const MAX_PATTERNS = 50

/** Converts the fixed parts of a pattern to a filter for words that all its rows contain. */
export function filterOf(pattern: string): string {
  const parts = pattern.split(/<[^>]*>/).map((part) => part.trim())
  const words = parts.filter((part) => /[\p{L}\p{N}]/u.test(part))
  return words.map((part) => JSON.stringify(part)).join(' ')
}

function narrowed(query: string, pattern: string): string {
  const filter = filterOf(pattern)
  return filter === '' ? query : behind(query, `filter ${filter}`)
}

/** Rows grouped by message template. */
export function PatternsView({ shown }: { readonly shown: Shown }): JSX.Element {
  const { query } = shown.view
  const asked = behind(query, `patterns ${MAX_PATTERNS}`)
  const { rows, failure } = useSideQuery(shown, asked, MAX_PATTERNS)
  const times = useSideQuery(shown, timesQuery(shown, MAX_PATTERNS), MAX_BARS, MAX_TIMES_CHARS)
  const hitsOver = useMemo(() => patternTimes(shown.range, times.rows ?? []), [times.rows])
  if (failure !== undefined) return <Failure failure={failure} query={asked} />
  const hitsOf = (row: ShownRow): number => Number(textIn(row, 'hits') ?? 0)
  const most = Math.max(1, ...(rows ?? []).map(hitsOf))
  return (
    <div
      class="table-scroll"
      tabIndex={0}
      role="region"
      aria-label={texts.forms.patterns}
      aria-busy={rows === undefined || (times.rows === undefined && times.failure === undefined)}
    >
      {times.failure !== undefined && (
        <p class="advice">
          {texts.patterns.noTimes} {times.failure.message}
        </p>
      )}
      {times.rows?.some(isCut) === true && <p class="advice">{texts.patterns.longTexts}</p>}
      <table class="groups patterns">
        <thead>
          <tr>
            <th scope="col" class="number">
              {texts.patterns.hits}
            </th>
            <th scope="col">{texts.patterns.times}</th>
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
                  <Sparkline values={hitsOver.get(pattern) ?? []} label={texts.patterns.times} />
                </td>
                <td>
                  <button
                    type="button"
                    class="pattern"
                    title={`${texts.patterns.open}. ${texts.patterns.sample}: ${textIn(row, 'sample') ?? ''}`}
                    onClick={() => setParams({ q: narrowed(query, pattern), form: undefined, row: undefined })}
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
