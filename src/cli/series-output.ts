import { CommandError } from '../base/index.ts'
import { METRIC_NAME, compareLabels } from '../data/index.ts'
import { descriptionLine, exemplarsLine, metricLines } from '../ingest/metrics/index.ts'
import { matchersOfSelector } from '../lang/promql/index.ts'
import { describedNames, msRange } from '../store/index.ts'
import { withCarets } from './diagnostics-output.ts'
import type { Terminal } from './terminal.ts'
import { parseRange, type RangeArguments } from './options/time-option.ts'

export interface SeriesArguments extends RangeArguments {
  readonly catalog?: string | undefined
  readonly data?: string | undefined
  readonly backendId?: string | undefined
  readonly server?: string | undefined
}

/**
 * Writes the metrics of a data folder series by series: samples with stale markers, histograms, start times, exemplars
 * and metadata. `import --kind samples` restores them exactly.
 */
export async function writeSeries(
  selector: string,
  files: readonly string[],
  { data, catalog, server, backendId, from, to }: SeriesArguments,
  terminal: Terminal,
): Promise<void> {
  if (data === undefined || catalog !== undefined || server !== undefined || files.length > 0)
    throw new CommandError('--format series writes samples of metrics that a server keeps: name its folder by --data.')
  // Without a range, exports everything: sample times may exceed the range of ns times.
  const isAll = from === undefined && to === undefined
  const range = isAll
    ? { startMs: -Infinity, endMs: Infinity }
    : msRange(parseRange(from, to, { nowNs: terminal.nowNs() }))
  await withCarets(selector, terminal, async () => {
    const matchers = selector.trim() === '*' ? [] : matchersOfSelector(selector)
    const { startMs, endMs } = range
    const { dataSamples } = await import('./data-session.ts')
    const { samples: store, metricCatalog, close } = await dataSamples(data, { backendId })
    try {
      store.sources.checkReadable(startMs, endMs)
      const names = new Set<string>()
      for (const series of store.series.find(matchers).toSorted((a, b) => compareLabels(a.labels, b.labels))) {
        if (terminal.signal.aborted) return
        const samples = series.slice(startMs, endMs)
        if (samples === undefined) continue
        for (const name of describedNames(series.labels.get(METRIC_NAME))) names.add(name)
        for (const line of metricLines(series.labels, samples)) await terminal.write(line)
      }
      const request = { filters: [matchers], guard: undefined, startMs: startMs + 1, endMs }
      for (const { labels, exemplars } of store.reader.exemplars(request))
        await terminal.write(exemplarsLine(labels, exemplars))
      for (const name of names)
        for (const each of metricCatalog.descriptionsOf(name)) await terminal.write(descriptionLine(each))
    } finally {
      await close()
    }
  })
}
