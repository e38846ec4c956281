import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { columnWidths } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'
import type { ShownRow } from '../../ask/requests.ts'
import { VirtualList, type Visible } from '../../widgets/virtual-list.tsx'
import { RowCache } from './row-cache.ts'
import { levelClass, levelOf, messageOf, textIn, timeOf } from './row-parts.ts'
import { RowTime } from './row-time.tsx'
import type { Shown } from './search.ts'
import { Marked } from './marked.tsx'

/** Height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 24

/** Default and minimum width of a column, pixels. */
const COLUMN_WIDTH = 140
const MIN_COLUMN_WIDTH = 48

interface Props {
  readonly shown: Shown
  readonly columns: readonly string[]
  readonly words: readonly string[]
  readonly selected: number | undefined
  readonly onSelect: (row: number | undefined) => void
  readonly onRemoveColumn: (name: string) => void
}

function Row(props: {
  readonly row: number
  readonly values: ShownRow | undefined
  readonly columns: readonly string[]
  readonly words: readonly string[]
  readonly isSelected: boolean
  readonly onSelect: (row: number) => void
}): JSX.Element {
  const { row, values, columns, words, isSelected, onSelect } = props
  const level = values && levelOf(values)
  return (
    <div
      class={`row level-${level === undefined ? 'other' : levelClass(level)}`}
      role="row"
      id={`row-${row}`}
      aria-rowindex={row + 1}
      aria-selected={isSelected}
      onClick={() => onSelect(row)}
    >
      {values === undefined ? (
        <span class="cell message faint" role="gridcell">
          {texts.rows.loading}
        </span>
      ) : (
        <>
          <RowTime text={timeOf(values)} />
          <span class="cell level" role="gridcell">
            {level ?? ''}
          </span>
          {columns.map((name) => (
            <span
              class="cell column"
              role="gridcell"
              key={name}
              style={{ width: `${columnWidths.value[name] ?? COLUMN_WIDTH}px` }}
            >
              {textIn(values, name) ?? ''}
            </span>
          ))}
          <span class="cell message" role="gridcell">
            <Marked text={messageOf(values)} words={words} />
          </span>
        </>
      )}
    </div>
  )
}

/** Handle at the edge of a column, which the pointer or the arrow keys move to resize it. */
function Resizer({ name }: { readonly name: string }): JSX.Element {
  const resize = (width: number): void => {
    columnWidths.value = { ...columnWidths.peek(), [name]: Math.max(MIN_COLUMN_WIDTH, Math.round(width)) }
  }
  const widthNow = (): number => columnWidths.peek()[name] ?? COLUMN_WIDTH
  const onPointerDown = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const [startX, startWidth] = [event.clientX, widthNow()]
    const element = event.currentTarget
    element.setPointerCapture(event.pointerId)
    const move = (moved: PointerEvent): void => resize(startWidth + moved.clientX - startX)
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', () => element.removeEventListener('pointermove', move), { once: true })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -10, ArrowRight: 10 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    resize(widthNow() + step)
  }
  return (
    <span
      class="resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={name}
      aria-valuenow={widthNow()}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  )
}

function Header({ columns, onRemoveColumn }: Pick<Props, 'columns' | 'onRemoveColumn'>): JSX.Element {
  return (
    <div class="row header" role="row">
      <span class="cell time" role="columnheader">
        _time
      </span>
      <span class="cell level" role="columnheader">
        level
      </span>
      {columns.map((name) => (
        <span
          class="cell column"
          role="columnheader"
          key={name}
          style={{ width: `${columnWidths.value[name] ?? COLUMN_WIDTH}px` }}
        >
          <span class="name">{name}</span>
          <button
            type="button"
            class="remove"
            aria-label={texts.rows.removeColumn(name)}
            onClick={() => onRemoveColumn(name)}
          >
            ×
          </button>
          <Resizer name={name} />
        </span>
      ))}
      <span class="cell message" role="columnheader">
        message
      </span>
    </div>
  )
}

/** The rows of an answer, newest first, as lines. */
export function RowsList({ shown, columns, words, selected, onSelect, onRemoveColumn }: Props): JSX.Element {
  const { ask } = useServices()
  const cache = useMemo(() => new RowCache(ask, shown.answer), [ask, shown.answer])
  const [visible, setVisible] = useState<Visible>({ from: 0, to: 0 })
  const { rows } = shown.state
  useEffect(() => cache.want(visible.from, visible.to, rows), [cache, visible.from, visible.to, rows])
  const select = useCallback((row: number) => onSelect(row === selected ? undefined : row), [onSelect, selected])
  // Reading the signal redraws the list when rows arrive.
  void cache.version.value
  return (
    <VirtualList
      class="rows"
      count={rows}
      rowHeight={ROW_HEIGHT}
      label={`${texts.rows.list}: ${count(rows)}`}
      selected={selected}
      onSelect={onSelect}
      onVisible={setVisible}
      header={<Header columns={columns} onRemoveColumn={onRemoveColumn} />}
      renderRow={(row) => (
        <Row
          key={row}
          row={row}
          values={cache.row(row)}
          columns={columns}
          words={words}
          isSelected={row === selected}
          onSelect={select}
        />
      )}
    />
  )
}
