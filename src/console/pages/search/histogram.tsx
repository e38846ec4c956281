import { useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../../app/numbers.ts'
import { texts } from '../../app/texts.ts'
import { durationWords } from '../../app/time-words.ts'
import { shortTime } from '../../app/times.ts'
import type { AskFailure, Hits, TimeRange } from '../../ask/requests.ts'
import { levelClass } from './row-parts.ts'

/** Height of the drawing in its own units; the style sheet scales it. */
const HEIGHT = 100

/** Stacking order from bottom to top. Errors are at the bottom, where their heights are comparable. */
const ORDER = ['error', 'warn', 'info', 'debug', 'other']

interface Props {
  readonly hits: Hits | AskFailure | undefined
  readonly onZoom: (range: TimeRange) => void
}

/** Merges the series of levels that belong to one class. */
function stacked({ groups, timesMs }: Hits): readonly { readonly level: string; readonly hits: readonly number[] }[] {
  const byLevel = new Map<string, number[]>()
  for (const { name, hits } of groups) {
    const level = levelClass(name)
    const sums = byLevel.get(level) ?? timesMs.map(() => 0)
    byLevel.set(level, sums)
    for (const [i, each] of hits.entries()) sums[i] = (sums[i] ?? 0) + each
  }
  return ORDER.flatMap((level) => {
    const hits = byLevel.get(level)
    return hits === undefined ? [] : [{ level, hits }]
  })
}

/** Number of rows over time by level. Dragging selects a range; keyboard users have the time picker. */
export function Histogram({ hits, onZoom }: Props): JSX.Element {
  const drawing = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<number>()
  const [drag, setDrag] = useState<readonly [from: number, to: number]>()
  if (hits !== undefined && 'kind' in hits)
    return (
      <p class="histogram note">
        {texts.hits.failed} {hits.message}
      </p>
    )
  if (hits === undefined || hits.timesMs.length === 0)
    return <div class="histogram" aria-busy={hits === undefined} aria-label={texts.hits.title} role="img" />
  const { timesMs, stepMs } = hits
  const bars = timesMs.length
  const stacks = stacked(hits)
  const totals = timesMs.map((_, i) => stacks.reduce((sum, stack) => sum + (stack.hits[i] ?? 0), 0))
  const most = Math.max(1, ...totals)
  const barAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = drawing.current?.getBoundingClientRect() ?? {}
    return Math.min(bars - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars)))
  }
  const onPointerDown = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    const bar = barAt(event)
    setDrag([bar, bar])
  }
  const onPointerMove = (event: PointerEvent): void => {
    const bar = barAt(event)
    setHovered(bar)
    setDrag((before) => before && [before[0], bar])
  }
  const onPointerUp = (): void => {
    if (drag !== undefined && drag[0] !== drag[1]) {
      const [first, last] = drag[0] < drag[1] ? drag : [drag[1], drag[0]]
      onZoom({ startMs: timesMs[first] ?? 0, endMs: (timesMs[last] ?? 0) + stepMs })
    }
    setDrag(undefined)
  }
  const bases = timesMs.map(() => 0)
  const [dragFirst, dragLast] = drag === undefined ? [0, -1] : [Math.min(...drag), Math.max(...drag)]
  const label = `${texts.hits.title}: ${count(hits.total)}, ${texts.hits.step(durationWords(stepMs))}`
  return (
    <figure class="histogram">
      <div
        ref={drawing}
        class="bars"
        title={texts.hits.zoom}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerLeave={() => setHovered(undefined)}
      >
        <svg viewBox={`0 0 ${bars} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          {drag !== undefined && (
            <rect class="selection" x={dragFirst} width={dragLast - dragFirst + 1} y={0} height={HEIGHT} />
          )}
          {stacks.map((stack) =>
            stack.hits.map((each, i) => {
              const height = (each / most) * HEIGHT
              const base = bases[i] ?? 0
              bases[i] = base + height
              return each === 0 ? null : (
                <rect
                  key={`${stack.level} ${i}`}
                  class={`level-${stack.level}`}
                  x={i + 0.06}
                  width={0.88}
                  y={HEIGHT - base - height}
                  height={height}
                />
              )
            }),
          )}
        </svg>
      </div>
      <figcaption>
        <span>{shortTime(timesMs[0] ?? 0)}</span>
        <span class="now">
          {hovered === undefined
            ? `${count(hits.total)} · ${texts.hits.step(durationWords(stepMs))}`
            : `${shortTime(timesMs[hovered] ?? 0)} — ${stacks
                .map((stack) => `${stack.level} ${count(stack.hits[hovered] ?? 0)}`)
                .join(', ')}`}
        </span>
        <span>{shortTime((timesMs.at(-1) ?? 0) + stepMs)}</span>
      </figcaption>
    </figure>
  )
}
