import process from 'node:process'
import { readFileSync } from 'node:fs'

/** The text itself, or all of standard input for `-`. */
export function textOrInput(text: string): string {
  return text === '-' ? readFileSync(process.stdin.fd, 'utf8') : text
}
