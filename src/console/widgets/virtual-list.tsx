import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ComponentChildren, JSX } from 'preact'

/** Number of rows drawn above and below the visible ones, so that short scrolls show no gap. */
const SPARE_ROWS = 12

/** Maximum height of the scrolled element, pixels, because browsers limit it. Taller lists scroll proportionally. */
const MAX_HEIGHT = 8_000_000

/** Scroll position of a list. */
export interface Visible {
  readonly from: number
  readonly to: number
}

/** Returns the index of the first visible row, with a fraction, for a scroll position. */
export function firstVisible(scrollTop: number, viewHeight: number, rowHeight: number, count: number): number {
  const height = count * rowHeight
  if (height <= MAX_HEIGHT) return scrollTop / rowHeight
  const most = Math.max(1, MAX_HEIGHT - viewHeight)
  return (Math.min(1, scrollTop / most) * (height - viewHeight)) / rowHeight
}

/** Returns the scroll position at which a row is the first visible one; the inverse of `firstVisible`. */
export function scrollTopOf(row: number, viewHeight: number, rowHeight: number, count: number): number {
  const height = count * rowHeight
  if (height <= MAX_HEIGHT) return row * rowHeight
  return ((row * rowHeight) / Math.max(1, height - viewHeight)) * (MAX_HEIGHT - viewHeight)
}

interface Props {
  readonly count: number
  /** Height of every row, pixels. */
  readonly rowHeight: number
  readonly label: string
  /** Row that has the keyboard focus. */
  readonly selected: number | undefined
  readonly onSelect: (row: number | undefined) => void
  readonly onVisible: (visible: Visible) => void
  readonly renderRow: (row: number) => ComponentChildren
  readonly header?: ComponentChildren
  readonly class?: string
  /** `treegrid` if rows can be expanded and collapsed. */
  readonly role?: 'grid' | 'treegrid'
  /** Prefix of the DOM ids of rows, unique on the page; `-` and the row index follow. */
  readonly rowIds?: string
}

/**
 * A list that renders only visible rows, for up to millions of rows. Arrow keys, Home, End and page keys move the
 * selection.
 */
export function VirtualList(props: Props): JSX.Element {
  const {
    count,
    rowHeight,
    label,
    selected,
    onSelect,
    onVisible,
    renderRow,
    header,
    role = 'grid',
    rowIds = 'row',
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [viewHeight, setViewHeight] = useState(600)
  const first = firstVisible(top, viewHeight, rowHeight, count)
  const visibleRows = Math.ceil(viewHeight / rowHeight)
  const from = Math.max(0, Math.floor(first) - SPARE_ROWS)
  const to = Math.min(count, Math.floor(first) + visibleRows + SPARE_ROWS)
  const height = Math.min(count * rowHeight, MAX_HEIGHT)

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setViewHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => onVisible({ from, to }), [from, to, count])

  const reveal = useCallback(
    (row: number): void => {
      const element = scroller.current
      if (element === null) return
      const shown = firstVisible(element.scrollTop, element.clientHeight, rowHeight, count)
      const rows = Math.floor(element.clientHeight / rowHeight) - 1
      if (row < shown) element.scrollTop = scrollTopOf(row, element.clientHeight, rowHeight, count)
      else if (row > shown + rows - 1)
        element.scrollTop = scrollTopOf(row - rows + 1, element.clientHeight, rowHeight, count)
    },
    [count, rowHeight],
  )
  useEffect(() => {
    if (selected !== undefined) reveal(selected)
  }, [selected, reveal])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== scroller.current) return
    const page = Math.max(1, visibleRows - 2)
    const at = selected ?? -1
    const next = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (next === undefined || count === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onSelect(Math.min(count - 1, Math.max(0, next)))
  }

  const offset = height === count * rowHeight ? from * rowHeight : top - (first - from) * rowHeight
  const rows = []
  for (let row = from; row < to; row++) rows.push(renderRow(row))
  return (
    <div
      class={`list ${props.class ?? ''}`}
      ref={scroller}
      tabIndex={0}
      role={role}
      aria-label={label}
      aria-rowcount={count}
      aria-activedescendant={selected === undefined ? undefined : `${rowIds}-${selected}`}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      {header}
      <div class="list-canvas" style={{ height: `${height}px` }} role="presentation">
        <div class="list-window" style={{ transform: `translateY(${offset}px)` }} role="rowgroup">
          {rows}
        </div>
      </div>
    </div>
  )
}
