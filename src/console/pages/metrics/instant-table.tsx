import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../../app/numbers.ts'
import { texts } from '../../app/texts.ts'
import type { InstantRow } from './metric-series.ts'

/** Number of rows shown at first, and added by each click on the button. */
const PAGE_ROWS = 200

/** Maximum number of labels shown as columns. The tooltip of a row has all labels. */
const MAX_COLUMNS = 8

/** Maximum length of a label value in a cell, UTF-16 units; longer ones are cut. */
const CELL_CHARS = 200

export interface NamedRow extends InstantRow {
  readonly letter: string
}

/** The values of all series at one time, with their labels as columns. */
export function InstantTable({
  rows,
  time,
}: {
  readonly rows: readonly NamedRow[]
  readonly time: string
}): JSX.Element {
  const [most, setMost] = useState(PAGE_ROWS)
  const [isSorted, setIsSorted] = useState(false)
  const names = [...new Set(rows.flatMap(({ labels }) => Object.keys(labels)))]
  const columns = names.slice(0, MAX_COLUMNS)
  const hasLetters = new Set(rows.map(({ letter }) => letter)).size > 1
  const sorted = isSorted ? rows.toSorted((a, b) => Number(b.value) - Number(a.value)) : rows
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={texts.forms.table}>
      <table class="groups instant">
        <caption>{texts.metrics.valuesAt(time)}</caption>
        <thead>
          <tr>
            {hasLetters && (
              <th scope="col" class="plain">
                {texts.metrics.letter}
              </th>
            )}
            {columns.map((name) => (
              <th key={name} scope="col" class="plain">
                {name === '__name__' ? texts.metrics.metric : name}
              </th>
            ))}
            <th scope="col" class="number" aria-sort={isSorted ? 'descending' : undefined}>
              <button type="button" onClick={() => setIsSorted(!isSorted)}>
                {texts.metrics.value}
                {isSorted ? ' ↓' : ''}
              </button>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, most).map(({ letter, labels, value }, i) => (
            <tr key={i}>
              {hasLetters && <td>{letter}</td>}
              {columns.map((name) => (
                <td key={name} title={labels[name]}>
                  {labels[name]?.slice(0, CELL_CHARS) ?? ''}
                </td>
              ))}
              <td class="number">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {names.length > MAX_COLUMNS && <p class="note">{texts.metrics.moreLabels(count(names.length - MAX_COLUMNS))}</p>}
      {sorted.length > most && (
        <button type="button" class="button" onClick={() => setMost(most + PAGE_ROWS)}>
          {texts.rows.more}
        </button>
      )}
    </div>
  )
}
