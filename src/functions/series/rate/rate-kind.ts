/** `rate` and `increase` are for counters, `delta` for gauges; `rate` divides by the range. */
export interface RateKind {
  readonly isCounter: boolean
  readonly isRate: boolean
}
