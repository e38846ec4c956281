/** The type of an argument or result of a series function. */
export type SeriesType = 'scalar' | 'vector' | 'matrix' | 'string'

export interface SeriesSignature {
  readonly name: string
  /** The types of the arguments in order. The last type also applies to further arguments, if there may be any. */
  readonly args: readonly SeriesType[]
  /**
   * The number of optional arguments. 0: exactly `args.length` arguments. n > 0: from `args.length - 1` to `args.length
   * - 1 + n`. −1: `args.length - 1` or more.
   */
  readonly variadic: number
  readonly returns: SeriesType
  /** True for a function that is rejected unless experimental functions are enabled. */
  readonly isExperimental: boolean
}

export interface AggregationSignature {
  readonly name: string
  /** The type of the parameter before the vector; `undefined` if there is none. */
  readonly param: 'scalar' | 'string' | undefined
  readonly isExperimental: boolean
}

const VECTOR: readonly SeriesType[] = ['vector']
const MATRIX: readonly SeriesType[] = ['matrix']

/**
 * The functions with one signature: argument types, result type, `variadic`, names. A `?` before a name marks an
 * experimental function.
 */
type SignatureRow = readonly [args: readonly SeriesType[], returns: SeriesType, variadic: number, names: string]

const rows: readonly SignatureRow[] = [
  [[], 'scalar', 0, 'pi time ?start ?end ?step ?range'],
  [['scalar', 'scalar'], 'scalar', 0, '?max_of ?min_of'],
  [['scalar'], 'vector', 0, 'vector'],
  [VECTOR, 'scalar', 0, 'scalar'],
  [VECTOR, 'vector', 0, 'abs ceil floor exp sqrt ln log2 log10 sgn deg rad'],
  [VECTOR, 'vector', 0, 'sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh'],
  [VECTOR, 'vector', 0, 'absent sort sort_desc timestamp ?start_timestamp'],
  [VECTOR, 'vector', 0, 'histogram_avg histogram_count histogram_sum histogram_stddev histogram_stdvar'],
  [VECTOR, 'vector', 1, 'minute hour day_of_week day_of_month day_of_year days_in_month month year'],
  [['vector', 'scalar'], 'vector', 1, 'round'],
  [['vector', 'scalar'], 'vector', 0, 'clamp_max clamp_min'],
  [['vector', 'scalar', 'scalar'], 'vector', 0, 'clamp'],
  [['vector', 'vector'], 'vector', 1, '?info'],
  [['vector', 'string'], 'vector', -1, '?sort_by_label ?sort_by_label_desc'],
  [['vector', 'string', 'string', 'string'], 'vector', -1, 'label_join'],
  [['vector', 'string', 'string', 'string', 'string'], 'vector', 0, 'label_replace'],
  [['scalar', 'vector'], 'vector', 0, 'histogram_quantile'],
  [['scalar', 'scalar', 'vector'], 'vector', 0, 'histogram_fraction'],
  [['vector', 'string', 'scalar', 'scalar'], 'vector', 9, '?histogram_quantiles'],
  [MATRIX, 'vector', 0, 'rate increase delta irate idelta resets changes deriv absent_over_time'],
  [MATRIX, 'vector', 0, 'avg_over_time sum_over_time min_over_time max_over_time count_over_time'],
  [MATRIX, 'vector', 0, 'stddev_over_time stdvar_over_time last_over_time first_over_time present_over_time'],
  [MATRIX, 'vector', 0, '?mad_over_time ?ts_of_first_over_time ?ts_of_last_over_time'],
  [MATRIX, 'vector', 0, '?ts_of_min_over_time ?ts_of_max_over_time'],
  [['matrix', 'scalar'], 'vector', 0, 'predict_linear'],
  [['scalar', 'matrix'], 'vector', 0, 'quantile_over_time'],
  [['matrix', 'scalar', 'scalar'], 'vector', 0, '?double_exponential_smoothing'],
]

function toSignatures([args, returns, variadic, names]: SignatureRow): readonly SeriesSignature[] {
  return names.split(' ').map((word) => {
    const isExperimental = word.startsWith('?')
    return { name: isExperimental ? word.slice(1) : word, args, variadic, returns, isExperimental }
  })
}

/** Signatures of all series functions by name, case-sensitive. */
export const seriesSignatures: ReadonlyMap<string, SeriesSignature> = new Map(
  rows.flatMap(toSignatures).map((signature) => [signature.name, signature]),
)

const aggregations: readonly AggregationSignature[] = [
  ...['sum', 'avg', 'count', 'min', 'max', 'group', 'stddev', 'stdvar'].map((name) => plainAggregation(name)),
  { name: 'topk', param: 'scalar', isExperimental: false },
  { name: 'bottomk', param: 'scalar', isExperimental: false },
  { name: 'quantile', param: 'scalar', isExperimental: false },
  { name: 'count_values', param: 'string', isExperimental: false },
  { name: 'limitk', param: 'scalar', isExperimental: true },
  { name: 'limit_ratio', param: 'scalar', isExperimental: true },
]

function plainAggregation(name: string): AggregationSignature {
  return { name, param: undefined, isExperimental: false }
}

/** Signatures of all aggregations by lower-case name. */
export const aggregationSignatures: ReadonlyMap<string, AggregationSignature> = new Map(
  aggregations.map((signature) => [signature.name, signature]),
)

/** Returns the minimum and maximum number of arguments. The maximum can be Infinity. */
export function argumentCount(signature: SeriesSignature): { readonly min: number; readonly max: number } {
  const { args, variadic } = signature
  if (variadic === 0) return { min: args.length, max: args.length }
  const min = args.length - 1
  return { min, max: variadic < 0 ? Infinity : min + variadic }
}
