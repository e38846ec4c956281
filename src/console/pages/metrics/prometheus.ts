import type { Ask } from '../../ask/client.ts'

/** Answer envelope of the Prometheus API. */
export interface PrometheusAnswer<T> {
  readonly data: T
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
}

export type SentLabels = Readonly<Record<string, string>>
export type Sample = readonly [seconds: number, value: string]

/** A native histogram, which has buckets instead of a number. */
interface SentHistogram {
  readonly count: string
  readonly sum: string
}

export interface SentSeries {
  readonly metric: SentLabels
  readonly value?: Sample
  readonly values?: readonly Sample[]
  readonly histogram?: readonly [seconds: number, histogram: SentHistogram]
  readonly histograms?: readonly (readonly [seconds: number, histogram: SentHistogram])[]
}

export type Result =
  | { readonly resultType: 'matrix'; readonly result: readonly SentSeries[] }
  | { readonly resultType: 'vector'; readonly result: readonly SentSeries[] }
  | { readonly resultType: 'scalar'; readonly result: Sample }
  | { readonly resultType: 'string'; readonly result: Sample }

export interface SentExemplars {
  readonly seriesLabels: SentLabels
  readonly exemplars: readonly { readonly labels: SentLabels; readonly value: string; readonly timestamp: number }[]
}

/** Paths that accept their parameters in a POST body, so that long expressions fit. */
const FORMS = new Set(['query', 'query_range', 'query_exemplars', 'parse_query', 'series', 'labels'])

/** Sends a request to a path below `/api/v1`. Rejects with AskError. */
export async function askPrometheus<T>(
  ask: Ask,
  path: string,
  parameters: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<PrometheusAnswer<T>> {
  const form = new URLSearchParams(parameters).toString()
  const { body } = FORMS.has(path)
    ? await ask(
        'json',
        {
          method: 'POST',
          path: `/api/v1/${path}`,
          body: form,
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        },
        { signal },
      )
    : await ask('json', { method: 'GET', path: `/api/v1/${path}?${form}` }, { signal })
  return body as PrometheusAnswer<T>
}
