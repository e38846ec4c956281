import { compareText } from '../../data/index.ts'
import type { MetadataRequest, SampleSource } from './source.ts'

/** Returns the label names of all matching series, ascending. */
export async function labelNames(source: SampleSource, request: MetadataRequest): Promise<readonly string[]> {
  const names = new Set<string>()
  for (const labels of await source.series(request)) for (const name of labels.names) names.add(name)
  return [...names].sort(compareText)
}

/** Returns the values that one label has in the matching series, ascending. */
export async function labelValues(
  source: SampleSource,
  label: string,
  request: MetadataRequest,
): Promise<readonly string[]> {
  const values = new Set<string>()
  for (const labels of await source.series(request)) values.add(labels.get(label))
  values.delete('')
  return [...values].sort(compareText)
}
