/** `rate` and `increase` take counters, `delta` gauges; `rate` divides by the range. */
export interface RateKind {
  readonly isCounter: boolean
  readonly isRate: boolean
}
