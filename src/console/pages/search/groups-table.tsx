import { useEffect, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { isDialect, type ShownRow, type ShownValue } from '../../ask/requests.ts'
import { textIn } from './row-parts.ts'
import type { Shown } from './search.ts'

/** Number of rows drawn at a time. Even with the maximum number of columns, this number of rows is drawn fast. */
const PAGE_ROWS = 100

/** Maximum number of columns that are drawn. A stage of the query can select other columns. */
const MAX_COLUMNS = 50

/** Maximum length of a cell, UTF-16 units; longer ones are cut. */
const CELL_CHARS = 400

/** Returns the first `most` rows of an answer as they arrive. */
export function useRows({ answer, state }: Shown, most: number): readonly ShownRow[] {
  const { ask } = useServices()
  const [found, setFound] = useState<{ readonly answer: number; readonly rows: readonly ShownRow[] }>()
  const to = Math.min(most, state.rows)
  useEffect(() => {
    let isGone = false
    void ask('rows', { answer, from: 0, to, maxChars: CELL_CHARS }).then((rows) => {
      if (!isGone) setFound({ answer, rows })
    })
    return () => {
      isGone = true
    }
  }, [ask, answer, to])
  return found?.answer === answer ? found.rows : []
}

type Order = { readonly name: string; readonly isDown: boolean }

function compare(a: ShownRow, b: ShownRow, { name, isDown }: Order): number {
  const valueOf = (row: ShownRow) => row.find((value) => value.name === name)
  const [left, right] = [valueOf(a), valueOf(b)]
  const both = left?.type === 'number' && right?.type === 'number'
  const order = both ? Number(left.text) - Number(right.text) : (left?.text ?? '').localeCompare(right?.text ?? '')
  return isDown ? -order : order
}

function typeIn(row: ShownRow, name: string): ShownValue['type'] | undefined {
  return row.find((value) => value.name === name)?.type
}

/** Shows an answer as a table. A click on a column title sorts the shown rows. */
export function GroupsTable({ shown }: { readonly shown: Shown }): JSX.Element {
  const [most, setMost] = useState(PAGE_ROWS)
  const [order, setOrder] = useState<Order>()
  const rows = useRows(shown, most)
  const all = [...new Set([...shown.state.fields, ...rows.flatMap((row) => row.map(({ name }) => name))])]
  const names = all.slice(0, MAX_COLUMNS)
  const sorted = order === undefined ? rows : rows.toSorted((a, b) => compare(a, b, order))
  const sortBy = (name: string): void =>
    setOrder((before) => ({ name, isDown: before?.name === name ? !before.isDown : true }))
  return (
    <div
      class="table-scroll"
      tabIndex={0}
      role="region"
      aria-label={texts.forms.table}
      aria-busy={rows.length === 0 && shown.state.rows > 0}
    >
      {all.length > names.length && (
        <p class="note">
          {texts.rows.moreColumns(count(all.length - names.length), isDialect(shown.view.dialect) ? 'fields' : 'keep')}
        </p>
      )}
      <table class="groups">
        <thead>
          <tr>
            {names.map((name) => (
              <th
                key={name}
                scope="col"
                class={rows.some((row) => typeIn(row, name) === 'number') ? 'number' : undefined}
                aria-sort={order?.name !== name ? undefined : order.isDown ? 'descending' : 'ascending'}
              >
                <button type="button" onClick={() => sortBy(name)}>
                  {name}
                  {order?.name === name ? (order.isDown ? ' ↓' : ' ↑') : ''}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row, i) => (
            <tr key={i}>
              {names.map((name) => {
                return (
                  <td key={name} class={typeIn(row, name) ?? 'null'}>
                    {textIn(row, name) ?? ''}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < shown.state.rows && (
        <button type="button" class="button" onClick={() => setMost(most + PAGE_ROWS)}>
          {texts.rows.more}
        </button>
      )}
    </div>
  )
}
