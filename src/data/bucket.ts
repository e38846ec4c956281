/**
 * Rounding of group keys. Values to which a bucket does not apply are not changed. `offset` is the offset in the query,
 * such as `offset 2h` for days that start at midnight two hours east: `floor((value + offset) / step) * step
 * - offset`.
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
  /** IPv4 addresses are reduced to the network with this many leading bits. */
  | { readonly kind: 'ipv4'; readonly bits: number }
