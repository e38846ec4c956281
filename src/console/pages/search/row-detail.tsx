import { useEffect, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../../app/numbers.ts'
import { linkTo } from '../../app/location.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import type { ShownRow, ShownValue } from '../../ask/requests.ts'
import { JsonTree } from '../../widgets/json-tree.tsx'
import { textIn } from './row-parts.ts'

/** Length at which values are cut, and length that each click on "more" adds, UTF-16 units. */
const DETAIL_CHARS = 4000
const MORE_CHARS = 20_000

/** Number of fields drawn at a time; a row may have thousands. */
const MAX_FIELDS = 200

interface Props {
  readonly answer: number
  readonly row: number
  readonly rows: number
  readonly columns: readonly string[]
  readonly hasTraces: boolean
  readonly onSelect: (row: number | undefined) => void
  /** False for a field on which the query cannot have a condition. */
  readonly canNarrow: (field: string) => boolean
  readonly onNarrow: (field: string, value: string, isExcluded: boolean) => void
  readonly onToggleColumn: (name: string) => void
  readonly onContext: (row: ShownRow) => void
}

/** A value. If it was cut, a button loads more. */
export function Value({ value, onMore }: { readonly value: ShownValue; readonly onMore: () => void }): JSX.Element {
  const { text, type, wholeLength = text.length } = value
  const isWhole = text.length === wholeLength
  return (
    <>
      {type === 'json' && isWhole ? <JsonTree text={text} /> : <span class={`value ${type}`}>{text}</span>}
      {!isWhole && (
        <button type="button" class="link" onClick={onMore}>
          {texts.detail.more(count(wholeLength - text.length))}
        </button>
      )}
    </>
  )
}

/** All fields of a row. Clicking a value adds it to the query, or excludes it. */
export function RowDetail(props: Props): JSX.Element {
  const { answer, row, rows, columns, hasTraces, onSelect, onNarrow, onToggleColumn, onContext, canNarrow } = props
  const { ask } = useServices()
  const [values, setValues] = useState<ShownRow>([])
  const [wasCopied, setWasCopied] = useState(false)
  const [fields, setFields] = useState(MAX_FIELDS)
  useEffect(() => {
    let isGone = false
    void ask('rows', { answer, from: row, to: row + 1, maxChars: DETAIL_CHARS }).then(([found = []]) => {
      if (!isGone) setValues(found)
    })
    setWasCopied(false)
    setFields(MAX_FIELDS)
    return () => {
      isGone = true
    }
  }, [answer, row])
  const readMore = async ({ name, text }: ShownValue): Promise<void> => {
    const range = { from: text.length, to: text.length + MORE_CHARS }
    const more = await ask('value', { answer, row, field: name, ...range })
    setValues((before) => before.map((value) => (value.name === name ? { ...more, text: text + more.text } : value)))
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
        {values.slice(0, fields).map((value) => (
          <div class="field" key={value.name}>
            <dt>{value.name}</dt>
            <dd>
              <Value value={value} onMore={() => void readMore(value)} />
            </dd>
            <dd class="actions">
              {value.wholeLength === undefined && value.type !== 'json' && canNarrow(value.name) && (
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
      {values.length > fields && (
        <button type="button" class="button" onClick={() => setFields(fields + MAX_FIELDS)}>
          {texts.detail.moreFields(count(values.length - fields))}
        </button>
      )}
    </aside>
  )
}
