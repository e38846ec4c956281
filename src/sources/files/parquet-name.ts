/** Whether DuckDB reads a file, by its name. */
export function isParquetName(path: string): boolean {
  return /\.(?:parquet|pq)$/i.test(path)
}
