/**
 * How group keys are floored. Values a bucket cannot floor stay as they are. An offset is as the query writes it
 * (`offset 2h` for a day that starts at midnight two hours east): `floor((value + offset) / step) * step - offset`.
 */
export type Bucket =
  /** Numbers floored to a multiple of `step`. Steps such as 0.1 count as the decimal they are written as. */
  | { readonly kind: 'number'; readonly step: number; readonly offset: number }
  /** Times floored to a multiple of `widthNs` since the epoch; with a zone, in local wall time. */
  | { readonly kind: 'time'; readonly widthNs: bigint; readonly offsetNs: bigint; readonly zone: string | undefined }
  /** Times floored to a calendar unit; weeks start on Monday. `zone` is an IANA name. */
  | {
      readonly kind: 'calendar'
      readonly unit: 'week' | 'month' | 'year'
      readonly offsetNs: bigint
      readonly zone: string | undefined
    }
  /** IPv4 addresses cut to a network of that many bits. */
  | { readonly kind: 'ipv4'; readonly bits: number }
