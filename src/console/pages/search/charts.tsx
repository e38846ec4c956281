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

/** Rows that a chart reads: 20 lines with 500 points. */
const CHART_ROWS = 10_000

/** Bars that are drawn; more cannot be read. */
const MAX_BARS = 60

function useChart(shown: Shown) {
  const rows = useRows(shown, CHART_ROWS)
  const chart = useMemo(() => chartOf(rows, shown.values), [rows, shown])
  return { ...chart, isBusy: rows.length === 0 && shown.state.rows > 0 }
}

/** Numbers of groups as horizontal bars, in the order of the answer. */
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

/** Numbers over time as lines. */
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

/** Shades of the heat map, as the style sheet defines them. */
const SHADES = 8

/** Numbers over time and groups as shades: one line for each group. */
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

/** The numbers of a single row. */
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
