import process from 'node:process'
import { readFileSync } from 'node:fs'

/** Returns the text itself, or standard input for `-`. */
export function textOrInput(text: string): string {
  return text === '-' ? readFileSync(process.stdin.fd, 'utf8') : text
}
