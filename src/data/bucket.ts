/**
 * How group keys are rounded down. Values that a bucket cannot round stay as they are. `offset` is the value in the
 * query (`offset 2h` for a day that starts at midnight two hours east): `floor((value + offset) / step) * step -
 * offset`.
 */
export type Bucket =
  /** Numbers are rounded down to a multiple of `step`. Steps such as 0.1 are exact decimals. */
  | { readonly kind: 'number'; readonly step: number; readonly offset: number }
  /** Times are rounded down to a multiple of `widthNs` since 1970; with a zone, in local time. */
  | { readonly kind: 'time'; readonly widthNs: bigint; readonly offsetNs: bigint; readonly zone: string | undefined }
  /** Times are rounded down to a calendar unit; weeks start on Monday. `zone` is an IANA name. */
  | {
      readonly kind: 'calendar'
      readonly unit: 'week' | 'month' | 'year'
      readonly offsetNs: bigint
      readonly zone: string | undefined
    }
  /** IPv4 addresses are cut to a network with this many bits. */
  | { readonly kind: 'ipv4'; readonly bits: number }
