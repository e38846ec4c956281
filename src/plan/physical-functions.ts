/**
 * Table functions about how one backend stores and reads. Their answers differ from backend to backend and count rows
 * that a data scope hides, so a scope refuses them, and only a backend that has segments answers them.
 */
export const physicalFunctions: readonly string[] = ['block_stats', 'blocks_count', 'query_stats']

export function isPhysicalFunction(name: string): boolean {
  return physicalFunctions.includes(name)
}
