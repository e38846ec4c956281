/** How group keys are floored. Values a bucket cannot floor stay as they are. */
export type Bucket =
  /** Numbers floored to a multiple of `step`, counted from `offset`. Exact decimal steps as their text, such as `0.1`. */
  | { readonly kind: 'number'; readonly step: number; readonly offset: number }
  /** Times floored to a multiple of `widthNs` counted from the epoch plus `offsetNs`; with a zone, in local wall time. */
  | { readonly kind: 'time'; readonly widthNs: bigint; readonly offsetNs: bigint; readonly zone: string | undefined }
  /** Times floored to a calendar unit; weeks start on Monday. `offsetNs` moves the boundaries; `zone` is an IANA name. */
  | {
      readonly kind: 'calendar'
      readonly unit: 'week' | 'month' | 'year'
      readonly offsetNs: bigint
      readonly zone: string | undefined
    }
  /** IPv4 addresses cut to a network of that many bits. */
  | { readonly kind: 'ipv4'; readonly bits: number }
