import { isPrintable } from '../../../data/index.ts'
import { outputAll, print, printf, println } from '../format/printf.ts'
import type { GoValue } from '../values.ts'
import type { FunctionTable, TemplateFunction } from './definition.ts'

const HTML: Readonly<Record<string, string>> = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
}

function jsEscape(text: string): string {
  let escaped = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    const isEscape = code < 0x20 || '<>&='.includes(char) || (code >= 0x80 && !isPrintable(char))
    if (`\\'"`.includes(char)) escaped += `\\${char}`
    else escaped += isEscape ? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}` : char
  }
  return escaped
}

/** Escapes a string for the query part of a URL, with `+` for spaces. */
export function queryEscape(text: string): string {
  const escaped = encodeURIComponent(text.toWellFormed())
  return escaped
    .replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

function onAll(call: (args: readonly GoValue[]) => string): TemplateFunction {
  return { parameters: [], rest: 'any', call: (args) => call(args) }
}

export const printingFunctions: FunctionTable = {
  print: onAll(print),
  println: onAll(println),
  printf: {
    parameters: ['string'],
    rest: 'any',
    call: ([format, ...args], { budget }) => printf(format as string, args, (chars) => budget.checkLength(chars)),
  },
  html: onAll((args) => outputAll(args).replaceAll(/[\0"'&<>]/g, (char) => HTML[char] ?? char)),
  js: onAll((args) => jsEscape(outputAll(args))),
  urlquery: onAll((args) => queryEscape(outputAll(args))),
}
