/** Required agreement of VictoriaMetrics' answers with ours where its documented semantics differ from PromQL. */
export interface Otherwise {
  /** The largest relative difference of the sums of both answers. */
  readonly share: number
  /** The rule by which VictoriaMetrics computes the value, according to its documentation. */
  readonly reason: string
}

export interface MetricQuestion {
  readonly id: string
  readonly title: string
  readonly query: string
  /** Present when VictoriaMetrics may return other numbers. */
  readonly otherwise?: Otherwise
}

/** Rates begin at the last sample before the window, without extrapolation to its ends. */
const RATE: Otherwise = {
  share: 0.05,
  reason: 'rate and increase begin at the sample before the window and are not drawn out to its ends',
}

const SUBQUERY: Otherwise = { ...RATE, reason: `${RATE.reason}; steps of subqueries lie elsewhere` }

/** An operator's queries over counters, histogram buckets and gauges. */
export const metricQuestions: readonly MetricQuestion[] = [
  { id: 'M01', title: 'raw selector', query: 'requests_total' },
  { id: 'M02', title: 'selector by regexp', query: '{job=~"api.*",instance=~"host-1.*"}' },
  { id: 'M03', title: 'rate', query: 'rate(requests_total[5m])', otherwise: RATE },
  { id: 'M04', title: 'sum by (rate)', query: 'sum by (instance) (rate(requests_total[5m]))', otherwise: RATE },
  {
    id: 'M05',
    title: 'ratio of two rates',
    query: 'sum by (instance) (rate(errors_total[5m])) / sum by (instance) (rate(requests_total[5m]))',
    otherwise: RATE,
  },
  {
    id: 'M06',
    title: 'histogram_quantile',
    query: 'histogram_quantile(0.9, sum by (instance, le) (rate(latency_bucket[5m])))',
    otherwise: RATE,
  },
  { id: 'M07', title: 'quantile_over_time', query: 'quantile_over_time(0.9, temperature_celsius[1h])' },
  { id: 'M08', title: 'predict_linear', query: 'predict_linear(temperature_celsius[1h], 3600)' },
  {
    id: 'M09',
    title: 'label_replace',
    query: 'label_replace(requests_total, "route", "$1", "path", "/api/v1/(.*)")',
  },
  { id: 'M10', title: 'topk of rate', query: 'topk(5, rate(requests_total[5m]))', otherwise: RATE },
  { id: 'M11', title: 'increase', query: 'increase(errors_total[30m])', otherwise: RATE },
  { id: 'M12', title: 'max_over_time', query: 'max_over_time(temperature_celsius[30m])' },
  { id: 'M13', title: 'avg by', query: 'avg by (sensor) (temperature_celsius)' },
  { id: 'M14', title: 'comparison', query: 'temperature_celsius > 40' },
  { id: 'M15', title: 'on() group_left()', query: 'requests_total / on (instance) group_left () limit' },
  { id: 'M16', title: 'absent', query: 'absent(temperature_celsius{sensor="nowhere"})' },
  {
    id: 'M17',
    title: 'subquery',
    query: 'max_over_time(rate(requests_total[1m])[10m:1m])',
    otherwise: SUBQUERY,
  },
]
