import { useEffect, useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import type uPlot from 'uplot'
import { axisTimes, shortTime } from '../app/times.ts'
import { theme, zone } from '../app/settings.ts'
import { texts } from '../app/texts.ts'

export interface ChartSeries {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** True for a threshold, drawn dashed in the error colour. */
  readonly isLimit?: boolean
}

/** A single value in the chart that links to another view, such as an exemplar. */
export interface ChartPoint {
  readonly timeMs: number
  readonly value: number
  readonly label: string
  readonly href: string
}

/** A chart point and its pixel position. */
interface DrawnPoint {
  readonly point: ChartPoint
  readonly left: number
  readonly top: number
}

/** Returns the pixel positions of points. A point outside the scale is placed at the edge. */
function drawnPoints(plot: uPlot, points: readonly ChartPoint[]): readonly DrawnPoint[] {
  const { offsetLeft, offsetTop, clientHeight, clientWidth } = plot.over
  return points.flatMap((point) => {
    const left = plot.valToPos(point.timeMs, 'x')
    const top = Math.min(clientHeight, Math.max(0, plot.valToPos(point.value, 'y')))
    return left < 0 || left > clientWidth ? [] : [{ point, left: offsetLeft + left, top: offsetTop + top }]
  })
}

const NO_POINTS: readonly ChartPoint[] = []

interface Props {
  readonly timesMs: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly label: string
  readonly onZoom?: (startMs: number, endMs: number) => void
  readonly points?: readonly ChartPoint[]
}

/** Number of series colours in the style sheet, for both themes. */
const COLOURS = 10

/** Height of the chart in pixels. */
const HEIGHT = 320

export function colourOf(index: number): string {
  return `var(--series-${index % COLOURS})`
}

/** Resolves a CSS colour variable in the current theme. Canvas supports neither variables nor `light-dark()`. */
function resolved(element: HTMLElement, name: string): string {
  const before = element.style.color
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = before
  return color
}

/** Numbers from this size on are shown with a suffix. */
const MIN_COMPACT = 1_000_000

/** Formats a number for axis and legend: six digits, with a suffix from a million on. */
export function shortNumber(value: number): string {
  const notation = Math.abs(value) < MIN_COMPACT ? 'standard' : 'compact'
  return new Intl.NumberFormat('en-US', { notation, maximumSignificantDigits: 6 }).format(value)
}

/** Lines over time with a legend. A click on a name hides or shows its line. */
export function TimeChart({ timesMs, series, label, onZoom, points = NO_POINTS }: Props): JSX.Element {
  const [drawn, setDrawn] = useState<readonly DrawnPoint[]>([])
  const host = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState<number>()
  useEffect(() => {
    let isGone = false
    let observer: ResizeObserver | undefined
    void import('uplot').then(({ default: Plot }) => {
      const element = host.current
      if (isGone || element === null) return
      const [text, line] = [resolved(element, '--muted'), resolved(element, '--line')]
      const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
      chart.current = new Plot(
        {
          width: element.clientWidth,
          height: HEIGHT,
          ms: 1,
          legend: { show: false },
          cursor: { drag: { x: onZoom !== undefined, y: false } },
          ...(zone.peek() === 'utc' ? { tzDate: (ms: number) => Plot.tzDate(new Date(ms), 'Etc/UTC') } : {}),
          axes: [
            // Replaces the library's labels, which have a 12-hour clock.
            { ...axis, values: (_, ticks, _axis, _space, stepMs) => axisTimes(ticks, stepMs) as string[] },
            { ...axis, size: 64, values: (_, ticks) => ticks.map(shortNumber) },
          ],
          series: [
            {},
            ...series.map(({ name, isLimit }, i) => ({
              label: name,
              stroke: resolved(element, isLimit === true ? '--error' : `--series-${i % COLOURS}`),
              width: 1.5,
              spanGaps: false,
              ...(isLimit === true ? { dash: [6, 4] } : {}),
              points: { show: isLimit !== true && timesMs.length < 40, size: 5 },
            })),
          ],
          hooks: {
            draw: [(plot) => setDrawn(drawnPoints(plot, points))],
            setCursor: [(plot) => setAt(plot.cursor.idx ?? undefined)],
            setSelect: [
              (plot) => {
                const { left, width } = plot.select
                if (width > 2) onZoom?.(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
              },
            ],
          },
        },
        [timesMs as number[], ...series.map(({ values }) => values as (number | null)[])],
        element,
      )
      observer = new ResizeObserver(() => chart.current?.setSize({ width: element.clientWidth, height: HEIGHT }))
      observer.observe(element)
    })
    return () => {
      isGone = true
      observer?.disconnect()
      chart.current?.destroy()
    }
  }, [timesMs, series, points, theme.value, zone.value])
  const toggle = (name: string, index: number): void => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    setHidden(next)
    chart.current?.setSeries(index + 1, { show: !next.has(name) })
  }
  const shownAt = at ?? timesMs.length - 1
  return (
    <figure class="time-chart">
      <div class="plot-area">
        <div ref={host} class="plot" role="img" aria-label={label} />
        {drawn.map(({ point, left, top }, i) => (
          <a
            key={i}
            class="point"
            href={point.href}
            aria-label={point.label}
            title={point.label}
            style={{ left: `${left}px`, top: `${top}px` }}
          />
        ))}
      </div>
      <figcaption>
        <span class="at">{timesMs.length === 0 ? '' : shortTime(timesMs[shownAt] ?? 0)}</span>
        <ul class="legend" aria-label={texts.charts.legend}>
          {series.map(({ name, values, isLimit }, i) => (
            <li key={name}>
              <button type="button" aria-pressed={!hidden.has(name)} onClick={() => toggle(name, i)}>
                <span
                  class="swatch"
                  style={{ background: isLimit === true ? 'var(--error)' : colourOf(i) }}
                  aria-hidden="true"
                />
                <span class="name" title={name}>
                  {name}
                </span>
                <span class="value">{values[shownAt] == null ? '–' : shortNumber(values[shownAt] ?? 0)}</span>
              </button>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}
