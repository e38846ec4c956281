/** Experimental features. Prometheus enables them by flags; Sluice enables all by default. */
export interface PromqlFeatures {
  readonly experimentalFunctions: boolean
  readonly durationExpressions: boolean
  readonly extendedRangeSelectors: boolean
  readonly fillModifiers: boolean
}

export const ALL_FEATURES: PromqlFeatures = {
  experimentalFunctions: true,
  durationExpressions: true,
  extendedRangeSelectors: true,
  fillModifiers: true,
}

export const STABLE_FEATURES: PromqlFeatures = {
  experimentalFunctions: false,
  durationExpressions: false,
  extendedRangeSelectors: false,
  fillModifiers: false,
}
