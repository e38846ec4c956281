import { CommandError } from '../../base/index.ts'

/** Parses an integer from 1 to `most`. */
export function countOption(option: string, most: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (!/^\d+$/.test(text) || count < 1 || count > most)
      throw new CommandError(`${option} needs a number from 1 to ${most}, not \`${text}\`.`)
    return count
  }
}
