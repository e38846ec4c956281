import { readFileSync } from 'node:fs'
import process from 'node:process'
import { text } from 'node:stream/consumers'

/** Implements the curl options that the pages use, so that their tests need no curl. Any other option is an error. */
const headers = new Headers()
const data: string[] = []
const query: string[] = []
let method: string | undefined
let url: string | undefined
let isQuery = false
let mayFail = true

const [, , ...args] = process.argv
const valueOf = async (value: string): Promise<string> =>
  value === '@-' ? text(process.stdin) : value.startsWith('@') ? readFileSync(value.slice(1), 'utf8') : value

for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
  if (!arg.startsWith('-')) url = arg
  else if (arg === '-G') isQuery = true
  else if (arg === '--fail-with-body' || arg === '-f') mayFail = false
  else if (!/^-[sSN]+$/.test(arg)) {
    const value = args.shift()
    if (value === undefined) throw new Error(`${arg} needs a value`)
    if (arg === '-X') method = value
    else if (arg === '-H')
      headers.append(value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1).trim())
    else if (arg === '-u') headers.set('Authorization', `Basic ${btoa(value)}`)
    else if (arg === '-d' || arg === '--data-binary') data.push(await valueOf(value))
    else if (arg === '--data-urlencode') {
      const at = value.indexOf('=')
      query.push(`${value.slice(0, at)}=${encodeURIComponent(value.slice(at + 1))}`)
    } else throw new Error(`${arg} is not known here`)
  }
}
if (url === undefined) throw new Error('no address')
const parameters = [...(isQuery ? data.splice(0) : []), ...(isQuery ? query.splice(0) : [])].join('&')
const body = [...data, ...query].join('&')
if (body !== '' && !headers.has('Content-Type')) headers.set('Content-Type', 'application/x-www-form-urlencoded')
const answer = await fetch(parameters === '' ? url : `${url}?${parameters}`, {
  method: method ?? (body === '' ? 'GET' : 'POST'),
  headers,
  ...(body === '' ? {} : { body }),
})
process.stdout.write(await answer.text())
if (!mayFail && !answer.ok) process.exitCode = 22
