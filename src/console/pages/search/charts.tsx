import { useMemo } from 'preact/hooks'
import type { JSX } from 'preact'
import { percent } from '../../app/numbers.ts'
import { setParams } from '../../app/location.ts'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import { TimeChart, shortNumber } from '../../widgets/time-chart.tsx'
import { useRows } from './groups-table.tsx'
import { chartOf } from './series.ts'
import type { Shown } from './search.ts'

/** Maximum number of rows that a chart reads: 20 lines with 500 points. */
const CHART_ROWS = 10_000

/** Maximum number of bars; more cannot be read. */
const MAX_BARS = 60

function useChart(shown: Shown) {
  const rows = useRows(shown, CHART_ROWS)
  const chart = useMemo(() => chartOf(rows, shown.values), [rows, shown])
  return { ...chart, isBusy: rows.length === 0 && shown.state.rows > 0 }
}

/** Horizontal bars, one for each group, in the order of the answer. */
export function BarsView({ shown }: { readonly shown: Shown }): JSX.Element {
  const { names, timesMs, series, isBusy } = useChart(shown)
  const labels = timesMs?.map(shortTime) ?? names
  return (
    <section class="bars-view" aria-busy={isBusy} aria-label={texts.forms.bars} tabIndex={0}>
      {series.map(({ name, values }) => {
        const most = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)))
        return (
          <table key={name}>
            <caption>{name}</caption>
            <tbody>
              {values.slice(0, MAX_BARS).map((value, i) => (
                <tr key={i}>
                  <th scope="row">{labels[i] === '' ? '""' : labels[i]}</th>
                  <td class="drawn">
                    <span class="bar" style={{ width: percent(Math.abs(value ?? 0), most) }} />
                  </td>
                  <td class="number">{value === null ? '–' : shortNumber(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      })}
    </section>
  )
}

/** Lines over time. */
export function LinesView({ shown }: { readonly shown: Shown }): JSX.Element {
  const { timesMs, series, isBusy } = useChart(shown)
  if (timesMs === undefined || timesMs.length === 0) return <section aria-busy={isBusy} />
  return (
    <section class="lines-view">
      <TimeChart
        timesMs={timesMs}
        series={series}
        label={texts.forms.lines}
        onZoom={(startMs, endMs) =>
          setParams({ from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() })
        }
      />
    </section>
  )
}

/** Number of shades in the heat map, as in the style sheet. */
const SHADES = 8

/** Heat map over time, one row for each group. */
export function HeatView({ shown }: { readonly shown: Shown }): JSX.Element {
  const { timesMs, series, isBusy } = useChart(shown)
  if (timesMs === undefined || timesMs.length === 0) return <section aria-busy={isBusy} />
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const shade = (value: number | null): string =>
    value === null || most === 0 ? 'none' : String(Math.min(SHADES - 1, Math.floor((SHADES * value) / most)))
  return (
    <section class="heat-view" aria-label={texts.forms.heat} tabIndex={0}>
      <table>
        <tbody>
          {series.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, i) => (
                <td
                  key={i}
                  class={`shade-${shade(value)}`}
                  title={`${shortTime(timesMs[i] ?? 0)}: ${value === null ? '–' : shortNumber(value)}`}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        {shortTime(timesMs[0] ?? 0)} – {shortTime(timesMs.at(-1) ?? 0)}
      </p>
    </section>
  )
}

/** Shows the numbers of an answer with a single row. */
export function NumberView({ shown }: { readonly shown: Shown }): JSX.Element {
  const [row = []] = useRows(shown, 1)
  return (
    <section class="number-view">
      {row.map(({ name, text, type }) => (
        <div key={name}>
          <p class="big">{type === 'number' ? shortNumber(Number(text)) : text}</p>
          <p class="note">{name}</p>
        </div>
      ))}
    </section>
  )
}
