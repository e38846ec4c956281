import { gzipSync } from 'node:zlib'
import { bodyPackings } from '../../../../src/server/http/unpack-stream.ts'
import { badClasses } from '../bad-bodies.ts'
import { READER } from './whole-app.ts'
import { typeOf, type Operation } from './operations.ts'
import type { BadCall, RequestClass } from './request-class.ts'

const UNKNOWN = '99999999-9999-4999-8999-999999999999'

const bytes = (text: string | Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text))

/** True if an operation accepts bodies with this content encoding. */
function takesPacked(operation: Operation, encoding: string): boolean {
  if (operation.takes === 'snappy') return encoding === 'snappy'
  if (operation.takes === 'loki' && encoding === 'snappy') return true
  const packable = ['lines', 'otlp', 'loki', 'exposition', 'agent']
  return packable.includes(operation.takes) && bodyPackings.includes(encoding)
}

function withType(type: string, name = type): BadCall {
  return { name, headers: { 'Content-Type': type }, body: 'x', statuses: [415] }
}

/**
 * True if an operation imitates Alertmanager's API. Its responses are compared with those of Alertmanager in other
 * tests.
 */
const isAlertmanager = ({ template }: Operation): boolean =>
  template.startsWith('/api/v2/') && !template.endsWith('/logs')

/** For a path id that is no UUID, Alertmanager answers 422. */
const badIdStatuses = (operation: Operation): readonly number[] =>
  isAlertmanager(operation) && operation.template.includes('{id}') ? [400, 404, 422] : [400, 404]

const hasBody = ({ takes }: Operation): boolean => takes !== 'nothing'

/** Invalid addresses. The server checks the address before anything else. */
const addresses: RequestClass = {
  name: 'addresses',
  of: (operation) =>
    ['/', '/x', '%00', '%ff', '/..%2f..%2fetc%2fpasswd', ';a=b', '%', '\\', '/%2e%2e/%2e%2e/x'].map((end) => ({
      name: end,
      path: `${operation.path}${end}`,
      statuses: [...badIdStatuses(operation), 405],
    })),
}

const keys: RequestClass = {
  name: 'keys',
  of: () =>
    [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer wrong',
      'wrong',
      'Basic dGVzdA==',
      'Bearer a b',
      `Bearer ${'k'.repeat(8000)}`,
    ].map((value) => ({ name: String(value).slice(0, 20), headers: { Authorization: value }, statuses: [401] })),
}

const keyInAddress: RequestClass = {
  name: 'the key in the address',
  of: ({ path }) =>
    ['key', 'api_key', 'access_token', 'Authorization'].map((name) => ({
      name,
      path: `${path}?${name}=${READER}`,
      headers: { Authorization: undefined },
      statuses: [401],
    })),
}

const rights: RequestClass = {
  name: 'a key without the role',
  of: ({ isGuarded }) =>
    isGuarded ? [{ name: 'reader', headers: { Authorization: `Bearer ${READER}` }, statuses: [403] }] : [],
}

/** Returns the class of requests with methods that a path does not have, according to the list of all operations. */
export function methodsClass(operations: readonly Operation[]): RequestClass {
  const known = Map.groupBy(operations, ({ template }) => template)
  return {
    name: 'methods',
    of: ({ template, path }) => {
      const taken = new Set(
        (known.get(template) ?? []).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      )
      // `list` and `silences` are separate routes from the id route, which does not handle the methods they lack.
      return ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'PROPFIND', 'LOCK'].flatMap((method) =>
        taken.has(method) ? [] : [{ name: method, method, path, statuses: [405] }],
      )
    },
  }
}

const ids: RequestClass = {
  name: 'ids',
  of: (operation) =>
    operation.template.includes('{id}')
      ? [
          '0',
          'x',
          '%20',
          'null',
          '__proto__',
          'constructor',
          "1'%20OR%20'1'='1",
          '..%2f..%2fetc%2fpasswd',
          '%2e%2e%2fx',
          '%00',
          '%ff',
          '%F0%9F%98%80',
          `${UNKNOWN}x`,
          UNKNOWN.replaceAll('-', ''),
          `{${UNKNOWN}}`,
          `urn:uuid:${UNKNOWN}`,
          UNKNOWN.replaceAll('9', '９'),
          'a'.repeat(5000),
        ].map((id) => ({
          name: id.slice(0, 40),
          path: operation.path.replace(/[^/]+$/, id),
          statuses: badIdStatuses(operation),
        }))
      : [],
}

const unknownIds: RequestClass = {
  name: 'ids of nothing',
  // Alertmanager answers an unknown id with 404 and an empty body.
  of: (operation) => {
    const { template, path, json, takes } = operation
    return template.includes('{id}') && !isAlertmanager(operation)
      ? [UNKNOWN, UNKNOWN.toUpperCase(), '00000000-0000-0000-0000-000000000000'].map((id) => ({
          name: id,
          path: path.replace(/[^/]+$/, id),
          body: takes === 'nothing' ? undefined : JSON.stringify(json?.good ?? { title: 'x' }),
          statuses: [404, 400],
        }))
      : []
  },
}

const contentTypes: RequestClass = {
  name: 'content types',
  of: (operation) =>
    hasBody(operation)
      ? [
          'application/xml',
          'text/html',
          'image/png',
          'multipart/form-data; boundary=x',
          'json',
          '*/*',
          'application/javascript',
          '',
        ].map((type) => withType(type))
      : [],
}

const charsets: RequestClass = {
  name: 'character sets',
  of: (operation) =>
    hasBody(operation)
      ? ['iso-8859-1', 'utf-16', '"utf-7"', 'utf-8x'].map((charset) =>
          withType(`${typeOf[operation.takes]}; charset=${charset}`, charset),
        )
      : [],
}

const encodings: RequestClass = {
  name: 'encodings of the body',
  of: (operation) =>
    hasBody(operation)
      ? ['gzip', 'br', 'deflate', 'zstd', 'snappy', 'gzip, gzip', 'x', '__proto__'].flatMap((encoding) =>
          takesPacked(operation, encoding)
            ? []
            : [{ name: encoding, headers: { 'Content-Encoding': encoding }, body: 'x', statuses: [415] }],
        )
      : [],
}

const BOMB = gzipSync(new Uint8Array(65 * 1024 * 1024))

const packed: RequestClass = {
  name: 'packed bodies',
  of: (operation) =>
    takesPacked(operation, 'gzip')
      ? [
          { name: 'no gzip', body: 'plain' },
          { name: 'cut', body: bytes(gzipSync('{"a":1}\n'.repeat(100)).subarray(0, 25)) },
          { name: 'broken', body: bytes(gzipSync('{"a":1}\n').map((byte, i) => (i > 12 ? byte ^ 255 : byte))) },
          { name: 'nothing', body: '' },
          // Journal uploads have no size limit, so the body is rejected for its content.
          { name: 'bomb of 65 MiB', body: bytes(BOMB), statuses: [operation.path === '/upload' ? 400 : 413] },
        ].map((call) => ({ ...call, headers: { 'Content-Encoding': 'gzip' } }))
      : [],
}

const large: RequestClass = {
  name: 'too large',
  of: ({ takes }) =>
    ['json', 'yaml', 'form'].includes(takes)
      ? [
          { name: '1 MiB and a byte', body: ' '.repeat(1024 * 1024 + 1), statuses: [413] },
          { name: '4 MiB', body: `{"a":"${'x'.repeat(4 * 1024 * 1024)}"}`, statuses: [413] },
        ]
      : [],
}

const jsonClasses: readonly RequestClass[] = badClasses.map(({ name, of }) => ({
  name: `JSON: ${name}`,
  of: ({ json }) => (json === undefined ? [] : of(json).map((bad) => ({ ...bad, statuses: [400] }))),
}))

const parameters: RequestClass = {
  name: 'parameters of the address',
  of: (operation) => {
    // Alertmanager reads any value of `active` as a boolean.
    if (isAlertmanager(operation)) return []
    const { path, parameters: known, takes, json } = operation
    const bad: Readonly<Record<string, readonly string[]>> = {
      dialect: ['sql', 'native native', '__proto__', '%00'],
      active: ['yes', '1', 'true,false'],
      skip: ['-1', 'x', '1.5', '1e999', '0x10'],
    }
    const isList = known.includes('active')
    return known.flatMap((name) =>
      (name === 'limit' && isList ? (bad['skip'] ?? []) : (bad[name] ?? [])).map((value) => ({
        name: `${name}=${value}`,
        path: `${path}?${name}=${encodeURIComponent(value)}`,
        body: takes === 'json' ? JSON.stringify(json?.good ?? {}) : undefined,
      })),
    )
  },
}

export const commonClasses: readonly RequestClass[] = [
  addresses,
  keys,
  keyInAddress,
  rights,
  ids,
  unknownIds,
  contentTypes,
  charsets,
  encodings,
  packed,
  large,
  parameters,
  ...jsonClasses,
]
