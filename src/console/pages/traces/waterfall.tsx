import { Component, type JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { count } from '../../app/numbers.ts'
import { columnWidths } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'
import { spanFlags, type SpanLabel, type Trace } from '../../ask/traces.ts'
import { colourOf } from '../../widgets/time-chart.tsx'
import { VirtualList, type Visible } from '../../widgets/virtual-list.tsx'
import { indexOfPosition, isFolded, visiblePositions, type Folds } from './folds.ts'
import type { SpanLabels } from './span-labels.ts'
import { drawnSegments, percentAt, spanDuration, ticksOf, type Window } from './trace-times.ts'

/** Height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 24

/**
 * Indentation of a level, pixels, and the maximum number of indented levels. Deeper spans show their depth as a number.
 */
const INDENT = 14
const MAX_INDENTS = 12

/** Width of the collapse button and its margin, pixels. */
const FOLD = 22

/** Storage key for the width of the name column, its minimum width, and the step of the arrow keys. */
const NAMES = 'trace:names'
const MIN_NAMES = 120
const NAMES_STEP = 20

/** Maximum number of axis ticks in a wide and in a narrow window: one for about 80 pixels. */
const TICKS = 6
const NARROW_TICKS = 2

/** Window width below which the style sheet uses another layout, pixels. */
const NARROW = 900

/**
 * A bar that ends beyond this percentage has its duration on the left side: to the right, `123.4 ms` would not fit. One
 * value for wide and one for narrow windows.
 */
const FRONT_PERCENT = 78
const NARROW_FRONT_PERCENT = 60

function frontPercent(): number {
  return innerWidth > NARROW ? FRONT_PERCENT : NARROW_FRONT_PERCENT
}

/** Minimum distance of a drag, pixels; a shorter one is a click. */
const DRAG_PIXELS = 4

interface Props {
  readonly trace: Trace
  readonly labels: SpanLabels
  readonly folds: Folds
  readonly window: Window
  readonly selected: number | undefined
  /** List indexes of spans that are marked as matched by the query. */
  readonly matched: ReadonlySet<number>
  readonly onSelect: (position: number) => void
  readonly onFold: (position: number) => void
  readonly onZoom: (window: Window) => void
}

function Bar({ trace, position, window }: { trace: Trace; position: number; window: Window }): JSX.Element | null {
  const { starts, ends, flags, critical } = trace
  const [start, end] = [starts[position] ?? 0, ends[position] ?? 0]
  const [left, right] = [percentAt(start, window), percentAt(end, window)]
  const isUnfinished = ((flags[position] ?? 0) & spanFlags.unfinished) !== 0
  const text = isUnfinished ? texts.traces.noDuration : spanDuration(end - start)
  if (right < 0) return <span class="away">←</span>
  if (left > 100) return <span class="away right">→</span>
  const [shownLeft, shownRight] = [Math.max(0, left), Math.min(100, right)]
  const front = frontPercent()
  const isInside = shownRight > front && shownLeft <= 100 - front
  const label =
    shownRight <= front
      ? { left: `${shownRight}%` }
      : isInside
        ? { left: `${shownLeft}%` }
        : { right: `${100 - shownLeft}%` }
  return (
    <>
      <span
        class={`bar${isInside ? ' wide' : ''}`}
        style={{
          left: `${shownLeft}%`,
          width: `${shownRight - shownLeft}%`,
        }}
      />
      {drawnSegments(
        critical.starts,
        critical.ends,
        critical.from[position] ?? 0,
        critical.from[position + 1] ?? 0,
        window,
      ).map((segment) => (
        <span key={segment.left} class="critical" style={{ left: `${segment.left}%`, width: `${segment.width}%` }} />
      ))}
      <span class={`label${isInside ? ' inside' : ''}`} style={label}>
        {text}
      </span>
    </>
  )
}

interface RowProps {
  readonly index: number
  readonly position: number
  readonly trace: Trace
  readonly label: SpanLabel | undefined
  readonly isFolded: boolean
  readonly isSelected: boolean
  readonly isMatched: boolean
  readonly window: Window
  readonly onSelect: (position: number) => void
  readonly onFold: (position: number) => void
}

/** A row that is redrawn only if its properties change, so that scrolling draws only new rows. */
class SpanRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const now: RowProps = this.props
    return (Object.keys(next) as readonly (keyof RowProps)[]).some((name) => next[name] !== now[name])
  }

  override render(props: RowProps): JSX.Element {
    return <SpanCells {...props} />
  }
}

function SpanCells(props: RowProps): JSX.Element {
  const { index, position, trace, label, isFolded, isSelected, isMatched, window, onSelect, onFold } = props
  const depth = trace.depths[position] ?? 0
  const flags = trace.flags[position] ?? 0
  const below = (trace.sizes[position] ?? 1) - 1
  const indent = Math.min(depth, MAX_INDENTS) * INDENT + (below > 0 ? 0 : FOLD)
  const has = (flag: number): boolean => (flags & flag) !== 0
  const isOdd = has(spanFlags.orphan | spanFlags.cycle | spanFlags.duplicate | spanFlags.outside)
  return (
    <div
      class={`row span${has(spanFlags.error) ? ' failed' : ''}${has(spanFlags.critical) ? ' on-path' : ''}${isMatched ? ' matched' : ''}`}
      role="row"
      id={`span-${index}`}
      aria-rowindex={index + 1}
      aria-level={depth + 1}
      aria-expanded={below === 0 ? undefined : !isFolded}
      aria-selected={isSelected}
      style={{ '--colour': colourOf(trace.colours[position] ?? 0), '--indent': `${indent}px` }}
      onClick={() => onSelect(position)}
    >
      <span class="cell names" role="gridcell" title={label && `${label.service} ${label.name}`}>
        {depth > MAX_INDENTS && <span class="depth">{depth}</span>}
        {below > 0 && (
          <button
            type="button"
            class="fold"
            tabIndex={-1}
            aria-label={isFolded ? texts.traces.unfold(count(below)) : texts.traces.fold(count(below))}
            onClick={(event) => (event.stopPropagation(), onFold(position))}
          >
            {isFolded ? '▸' : '▾'}
          </button>
        )}
        {isMatched && <span class="match-sign" role="img" aria-label={texts.traces.matched} />}
        {has(spanFlags.error) && (
          <span class="sign error" role="img" aria-label={texts.traces.error}>
            !
          </span>
        )}
        {isOdd && (
          <span class="sign odd" role="img" aria-label={texts.traces.odd}>
            ?
          </span>
        )}
        {label === undefined ? (
          <span class="faint">{texts.rows.loading}</span>
        ) : (
          <>
            <span class="service">{label.service === '' ? texts.traces.noService : label.service}</span>
            <span class="name">{label.name}</span>
          </>
        )}
        {isFolded && below > 0 && <span class="below">+{count(below)}</span>}
      </span>
      <span class="cell track" role="gridcell">
        <Bar trace={trace} position={position} window={window} />
      </span>
    </div>
  )
}

/** Border between names and bars, which the pointer or the arrow keys move. */
function NamesEdge({ width }: { readonly width: () => number }): JSX.Element {
  const resize = (pixels: number): void => {
    columnWidths.value = { ...columnWidths.peek(), [NAMES]: Math.max(MIN_NAMES, Math.round(pixels)) }
  }
  const onPointerDown = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const [startX, startWidth, element] = [event.clientX, width(), event.currentTarget]
    event.stopPropagation()
    element.setPointerCapture(event.pointerId)
    const move = (moved: PointerEvent): void => resize(startWidth + moved.clientX - startX)
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', () => element.removeEventListener('pointermove', move), { once: true })
  }
  return (
    <span
      class="resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.traces.namesWidth}
      aria-valuenow={Math.round(columnWidths.value[NAMES] ?? 0)}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -NAMES_STEP, ArrowRight: NAMES_STEP }[event.key]
        if (step === undefined) return
        event.preventDefault()
        event.stopPropagation()
        resize(width() + step)
      }}
    />
  )
}

/** Spans of a trace as a tree beside their time bars. Dragging over the bars zooms. */
export function Waterfall(props: Props): JSX.Element {
  const { trace, labels, folds, window, selected, matched, onSelect, onFold, onZoom } = props
  const host = useRef<HTMLDivElement>(null)
  const seen = useRef<Visible>({ from: 0, to: 0 })
  const latest = useRef(props)
  latest.current = props
  const select = useCallback((position: number) => latest.current.onSelect(position), [])
  const fold = useCallback((position: number) => latest.current.onFold(position), [])
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number; readonly track: DOMRect }>()
  const visible = useMemo(() => visiblePositions(folds, trace.depths, trace.sizes), [folds, trace])
  const see = (range: Visible): void => {
    seen.current = range
    labels.want(visible.subarray(range.from, range.to))
  }
  useEffect(() => see(seen.current), [labels, visible])
  // Reading the signal redraws the rows when labels arrive.
  void labels.version.value
  const selectedIndex = selected === undefined ? undefined : indexOfPosition(visible, selected)

  const onKeyDown = (event: KeyboardEvent): void => {
    if (selected === undefined || !['ArrowLeft', 'ArrowRight'].includes(event.key)) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const hasBelow = (trace.sizes[selected] ?? 1) > 1
    const isClosed = isFolded(folds, selected, trace.depths)
    if (event.key === 'ArrowRight' && hasBelow) {
      if (isClosed) onFold(selected)
      else onSelect(selected + 1)
    } else if (event.key === 'ArrowLeft') {
      if (hasBelow && !isClosed) onFold(selected)
      else onSelect(Math.max(0, trace.parents[selected] ?? 0))
    }
  }
  const onPointerDown = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const track = event.target instanceof Element ? event.target.closest('.track') : null
    if (track === null || event.button !== 0) return
    setDrag({ from: event.clientX, to: event.clientX, track: track.getBoundingClientRect() })
  }
  const onPointerMove = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    if (drag === undefined) return
    const isDrag = Math.abs(event.clientX - drag.from) >= DRAG_PIXELS
    // Captures the pointer, so that the drag continues outside the list.
    if (isDrag) event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ ...drag, to: Math.min(drag.track.right, Math.max(drag.track.left, event.clientX)) })
  }
  const onPointerUp = (): void => {
    if (drag !== undefined && Math.abs(drag.to - drag.from) >= DRAG_PIXELS) {
      const msAt = (x: number): number =>
        window.start + ((x - drag.track.left) / drag.track.width) * (window.end - window.start)
      onZoom({ start: msAt(Math.min(drag.from, drag.to)), end: msAt(Math.max(drag.from, drag.to)) })
    }
    setDrag(undefined)
  }
  const left = host.current?.getBoundingClientRect().left ?? 0
  const width = columnWidths.value[NAMES]
  return (
    <div
      class="waterfall"
      ref={host}
      style={width === undefined ? {} : { '--names': `${width}px` }}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
    >
      <VirtualList
        class="spans"
        role="treegrid"
        rowIds="span"
        count={visible.length}
        rowHeight={ROW_HEIGHT}
        label={`${texts.traces.spans}: ${count(trace.count)}`}
        selected={selectedIndex}
        onSelect={(index) => index !== undefined && onSelect(visible[index] ?? 0)}
        onVisible={see}
        header={
          <div class="row header" role="row">
            <span class="cell names" role="columnheader">
              {texts.traces.span}
              <NamesEdge width={() => host.current?.querySelector('.names')?.clientWidth ?? MIN_NAMES} />
            </span>
            <span class="cell track" role="columnheader" aria-label={texts.traces.times} title={texts.traces.zoom}>
              {ticksOf(window, innerWidth > NARROW ? TICKS : NARROW_TICKS).map((tick) => (
                <span
                  key={tick}
                  class={`tick${percentAt(tick, window) > frontPercent() ? ' before' : ''}`}
                  style={{ left: `${percentAt(tick, window)}%` }}
                >
                  {spanDuration(tick)}
                </span>
              ))}
            </span>
          </div>
        }
        renderRow={(index) => {
          const position = visible[index] ?? 0
          return (
            <SpanRow
              key={position}
              index={index}
              position={position}
              trace={trace}
              label={labels.label(position)}
              isFolded={isFolded(folds, position, trace.depths)}
              isSelected={index === selectedIndex}
              isMatched={matched.has(position)}
              window={window}
              onSelect={select}
              onFold={fold}
            />
          )
        }}
      />
      {drag !== undefined && Math.abs(drag.to - drag.from) >= DRAG_PIXELS && (
        <span
          class="dragged"
          style={{
            left: `${Math.min(drag.from, drag.to) - left}px`,
            width: `${Math.abs(drag.to - drag.from)}px`,
          }}
        />
      )}
    </div>
  )
}
