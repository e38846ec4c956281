/** True if the name of a file says that DuckDB reads it. */
export function isParquetName(path: string): boolean {
  return /\.(?:parquet|pq)$/i.test(path)
}
