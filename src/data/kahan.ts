/** A compensated sum after Neumaier. The result is `sum + compensation`. */
export interface KahanSum {
  sum: number
  compensation: number
}

export function kahanStep(state: KahanSum, value: number): void {
  const { sum } = state
  const total = sum + value
  if (total === Infinity || total === -Infinity) state.compensation = 0
  else if (Math.abs(sum) >= Math.abs(value)) state.compensation += sum - total + value
  else state.compensation += value - total + sum
  state.sum = total
}

/** Returns the sum of `values[from…to)`. */
export function kahanTotal(values: ArrayLike<number>, from: number, to: number): number {
  let sum = 0
  let compensation = 0
  for (let i = from; i < to; i++) {
    const value = values[i]
    const total = sum + value
    if (total === Infinity || total === -Infinity) compensation = 0
    else if (Math.abs(sum) >= Math.abs(value)) compensation += sum - total + value
    else compensation += value - total + sum
    sum = total
  }
  return sum === Infinity || sum === -Infinity ? sum : sum + compensation
}
