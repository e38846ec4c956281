import { useEffect, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../../app/numbers.ts'
import { linkTo } from '../../app/location.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import type { ShownRow, ShownValue } from '../../ask/requests.ts'
import { JsonTree } from '../../widgets/json-tree.tsx'
import { textIn } from './row-parts.ts'

/** Values are cut to this number of UTF-16 units until the user asks for the whole: a page of 7 MB would freeze. */
const DETAIL_CHARS = 20_000

interface Props {
  readonly answer: number
  readonly row: number
  readonly rows: number
  readonly columns: readonly string[]
  readonly hasTraces: boolean
  readonly onSelect: (row: number | undefined) => void
  readonly onNarrow: (field: string, value: string, isExcluded: boolean) => void
  readonly onToggleColumn: (name: string) => void
  readonly onContext: (row: ShownRow) => void
}

export function Value({ value, onWhole }: { readonly value: ShownValue; readonly onWhole: () => void }): JSX.Element {
  const { text, type, wholeLength } = value
  return (
    <>
      {type === 'json' && wholeLength === undefined ? (
        <JsonTree text={text} />
      ) : (
        <span class={`value ${type}`}>{text}</span>
      )}
      {wholeLength !== undefined && (
        <button type="button" class="link" onClick={onWhole}>
          {texts.detail.whole(count(wholeLength))}
        </button>
      )}
    </>
  )
}

/** All fields of one row. A click on a value appends it to the query, or excludes it. */
export function RowDetail(props: Props): JSX.Element {
  const { answer, row, rows, columns, hasTraces, onSelect, onNarrow, onToggleColumn, onContext } = props
  const { ask } = useServices()
  const [values, setValues] = useState<ShownRow>([])
  const [wasCopied, setWasCopied] = useState(false)
  useEffect(() => {
    let isGone = false
    void ask('rows', { answer, from: row, to: row + 1, maxChars: DETAIL_CHARS }).then(([found = []]) => {
      if (!isGone) setValues(found)
    })
    setWasCopied(false)
    return () => {
      isGone = true
    }
  }, [answer, row])
  const readWhole = async (field: string): Promise<void> => {
    const whole = await ask('value', { answer, row, field })
    setValues((before) => before.map((value) => (value.name === field ? whole : value)))
  }
  const copy = async (): Promise<void> => {
    const whole = await Promise.all(
      values.map(async (value) =>
        value.wholeLength === undefined ? value : ask('value', { answer, row, field: value.name }),
      ),
    )
    const members = whole.map(({ name, text, type }) => {
      const json = type === 'text' ? JSON.stringify(text) : type === 'null' ? 'null' : text
      return `${JSON.stringify(name)}:${json}`
    })
    await navigator.clipboard.writeText(`{${members.join(',')}}`)
    setWasCopied(true)
  }
  const traceId = textIn(values, 'trace_id')
  return (
    <aside class="detail" aria-label={texts.detail.title}>
      <header>
        <h2>
          {texts.detail.title} {count(row + 1)}
        </h2>
        <button
          type="button"
          class="quiet"
          aria-label={texts.detail.previous}
          disabled={row === 0}
          onClick={() => onSelect(row - 1)}
        >
          ↑
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={texts.detail.next}
          disabled={row >= rows - 1}
          onClick={() => onSelect(row + 1)}
        >
          ↓
        </button>
        <button type="button" class="quiet" onClick={() => void copy()}>
          {wasCopied ? texts.detail.copied : texts.detail.copy}
        </button>
        <button type="button" class="quiet" aria-label={texts.detail.close} onClick={() => onSelect(undefined)}>
          ×
        </button>
      </header>
      <div class="detail-actions">
        <button type="button" class="button" onClick={() => onContext(values)}>
          {texts.detail.context}
        </button>
        {hasTraces && traceId !== undefined && (
          <a class="button" href={linkTo('traces', { trace: traceId })}>
            {texts.detail.trace}
          </a>
        )}
      </div>
      <dl class="fields">
        {values.map((value) => (
          <div class="field" key={value.name}>
            <dt>{value.name}</dt>
            <dd>
              <Value value={value} onWhole={() => void readWhole(value.name)} />
            </dd>
            <dd class="actions">
              {value.wholeLength === undefined && value.type !== 'json' && (
                <>
                  <button
                    type="button"
                    class="quiet"
                    title={texts.detail.only(value.name)}
                    aria-label={texts.detail.only(value.name)}
                    onClick={() => onNarrow(value.name, value.text, false)}
                  >
                    +
                  </button>
                  <button
                    type="button"
                    class="quiet"
                    title={texts.detail.except(value.name)}
                    aria-label={texts.detail.except(value.name)}
                    onClick={() => onNarrow(value.name, value.text, true)}
                  >
                    −
                  </button>
                </>
              )}
              <button
                type="button"
                class="quiet"
                aria-pressed={columns.includes(value.name)}
                title={texts.rows.addColumn(value.name)}
                aria-label={texts.rows.addColumn(value.name)}
                onClick={() => onToggleColumn(value.name)}
              >
                ▥
              </button>
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}
