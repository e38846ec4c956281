import { Bytes, moduleOf, wasm as w, type Code } from '../../../base/index.ts'

/** Parameters by position; all are addresses, but `template` is the number of the one to try first. */
const params = ['from', 'end', 'out', 'outEnd', 'templates', 'state', 'classes', 'template'] as const

/** What the kernel leaves at `state`, in words of four bytes. */
export const stateAt = { position: 0, out: 1, template: 2, stop: 3 } as const
/** Why it stopped: all is read, no room for another record, or a line that matches no template. */
export const stopped = { atEnd: 0, full: 1, unknown: 2 } as const

/** Kinds of values, in the three high bits of where a value ends. Texts: bit 0 is "has escapes", bit 1 "beyond ASCII". */
export const valueKind = { ascii: 0, escaped: 1, wide: 2, number: 4, isTrue: 5, isFalse: 6, isNull: 7 } as const
export const KIND_SHIFT = 29
/** A record begins with the start of its line, below the number of its template or one of `recordKind`. */
export const TEMPLATE_SHIFT = 27
export const MAX_TEMPLATES = 30
/** A line for the general reader, with its end in a second word; a line that was dropped. */
export const recordKind = { general: 30, dropped: 31 } as const

/** Bytes of the table of `classes`: may follow a backslash, begins four hex digits, is a hex digit. */
export const byteClass = { escape: 1, unicode: 2, hex: 4 } as const

/** Words of four bytes of a member's description, in a template. */
export const memberWords = { literal: 0, blocks: 1, length: 2, isKept: 3, needles: 4, count: 5 } as const
/** Words of a needle's description; needles of a member are a chain that ends with 0. */
export const needleWords = { bytes: 0, masks: 1, length: 2, probeA: 3, probeB: 4, next: 5, count: 6 } as const

const locals =
  'position lineStart tries member rest record isDropped byte start stop mask flags kind literal blocks needle at k last'.split(
    ' ',
  )
const vectors = ['bytes', 'highBit', 'quote', 'backslash', 'space', 'splatA', 'splatB', 'foldA', 'foldB'] as const

const index = new Map<string, number>([...params, ...locals, ...vectors].map((name, i) => [name, i]))
const at = (name: string): number => index.get(name) ?? 0
const get = (name: string): Code => w.get(at(name))
const set = (name: string, value: Code): Code => w.set(at(name), value)
const num = (value: number): Code => w.i32(value)
const advance = (name: string, by: number): Code => set(name, w.add(get(name), num(by)))
const word = (address: Code, offset: number): Code => w.load32(w.add(address, num(offset * 4)))
const memberWord = (name: keyof typeof memberWords): Code => word(get('member'), memberWords[name])
const needleWord = (name: keyof typeof needleWords): Code => word(get('needle'), needleWords[name])
const byteAt = (base: Code, offset: Code): Code => w.load8(w.add(base, offset))
const isDigit = (byte: Code): Code => w.ltU(w.sub(byte, num(48)), num(10))
const spelled = (text: string): Code => num(new DataView(Bytes.from(text).slice().buffer).getInt32(0, true))

/** Depths of the blocks around the reading of a member, seen from the loop over members. */
const LINE_READ = 1
const NO_MATCH = 2

/** Compares the bytes before a value with those of the template, 16 at a time. */
const readLiteral: Code = [
  ...set('literal', memberWord('literal')),
  ...set('blocks', memberWord('blocks')),
  ...set('at', get('position')),
  ...w.loop(
    w.brIf(
      NO_MATCH + 1,
      w.v128AnyTrue(
        w.v128And(
          w.v128Xor(w.v128Load(get('at')), w.v128Load(get('literal'))),
          w.v128Load(w.add(get('literal'), num(16))),
        ),
      ),
    ),
    advance('literal', 32),
    advance('at', 16),
    advance('blocks', -1),
    w.brIf(0, get('blocks')),
  ),
  ...set('position', w.add(get('position'), memberWord('length'))),
]

const classAt = (offset: number): Code => byteAt(get('classes'), byteAt(get('stop'), num(offset)))

/** From behind the quote to the closing one. `noMatch` is seen from where this stands. */
const readText = (noMatch: number): Code => [
  ...set('start', w.add(get('position'), num(1))),
  ...set('stop', get('start')),
  ...set('flags', num(0)),
  ...set('highBit', w.i8x16Splat(num(0x80))),
  ...w.block(
    w.loop(
      // 0: go on, 1: the closing quote
      set('bytes', w.v128Load(get('stop'))),
      set(
        'mask',
        w.i8x16Bitmask(
          w.v128Or(
            w.v128Or(w.i8x16LtU(get('bytes'), get('space')), w.i8x16Eq(get('bytes'), get('quote'))),
            w.v128Or(w.i8x16Eq(get('bytes'), get('backslash')), w.v128And(get('bytes'), get('highBit'))),
          ),
        ),
      ),
      w.when(w.eqz(get('mask')), advance('stop', 16), w.br(1)),
      set('stop', w.add(get('stop'), w.ctz(get('mask')))),
      set('byte', w.load8(get('stop'))),
      w.brIf(1, w.eq(get('byte'), num(0x22))),
      w.brIf(noMatch + 2, w.ltU(get('byte'), num(0x20))),
      w.when(
        w.gtU(get('byte'), num(0x7f)),
        set('flags', w.or(get('flags'), num(valueKind.wide))),
        set('highBit', w.i8x16Splat(num(0))),
        w.br(1),
      ),
      set('flags', w.or(get('flags'), num(valueKind.escaped))),
      set('byte', classAt(1)),
      w.brIf(noMatch + 2, w.eqz(w.and(get('byte'), num(byteClass.escape | byteClass.unicode)))),
      advance('stop', 2),
      w.brIf(0, w.eqz(w.and(get('byte'), num(byteClass.unicode)))),
      w.brIf(
        noMatch + 2,
        w.eqz(w.and(w.and(w.and(classAt(0), classAt(1)), w.and(classAt(2), classAt(3))), num(byteClass.hex))),
      ),
      advance('stop', 4),
      w.br(0),
    ),
  ),
]

/** Whether 16 places from `at` on have the probe byte that stands at `probe` in the needle. */
const probeHits = (probe: 'probeA' | 'probeB', splat: string, fold: string): Code =>
  w.i8x16Eq(w.v128Or(w.v128Load(w.add(get('at'), needleWord(probe))), get(fold)), get(splat))

const needleByte = (which: 'bytes' | 'masks', offset: Code): Code => byteAt(needleWord(which), offset)

/** Notes in `isDropped` whether a needle of the member is missing from the text. */
const findNeedles: Code = [
  ...set('needle', memberWord('needles')),
  ...w.block(
    w.loop(
      // 0: next needle, 1: all found
      w.brIf(1, w.eqz(get('needle'))),
      set('at', get('start')),
      set('last', w.sub(get('stop'), needleWord('length'))),
      set('splatA', w.i8x16Splat(needleByte('bytes', needleWord('probeA')))),
      set('splatB', w.i8x16Splat(needleByte('bytes', needleWord('probeB')))),
      set('foldA', w.i8x16Splat(needleByte('masks', needleWord('probeA')))),
      set('foldB', w.i8x16Splat(needleByte('masks', needleWord('probeB')))),
      w.block(
        // 0: found, 1: next needle, 2: all found
        w.loop(
          // 0: next 16, 1: found
          w.when(w.gtS(get('at'), get('last')), set('isDropped', num(1)), w.br(4)),
          set(
            'mask',
            w.i8x16Bitmask(w.v128And(probeHits('probeA', 'splatA', 'foldA'), probeHits('probeB', 'splatB', 'foldB'))),
          ),
          w.block(
            w.loop(
              // 0: next hit, 1: none is left, 2: next 16, 3: found
              w.brIf(1, w.eqz(get('mask'))),
              set('kind', w.add(get('at'), w.ctz(get('mask')))),
              set('mask', w.and(get('mask'), w.sub(get('mask'), num(1)))),
              w.brIf(1, w.gtS(get('kind'), get('last'))),
              set('k', num(0)),
              w.loop(
                // 0: next byte, 1: next hit
                w.brIf(
                  1,
                  w.ne(
                    w.or(byteAt(get('kind'), get('k')), needleByte('masks', get('k'))),
                    needleByte('bytes', get('k')),
                  ),
                ),
                advance('k', 1),
                w.brIf(0, w.ltU(get('k'), needleWord('length'))),
              ),
              w.br(3),
            ),
          ),
          advance('at', 16),
          w.br(0),
        ),
      ),
      set('needle', needleWord('next')),
      w.br(0),
    ),
  ),
]

const skipDigits: Code = w.loop(w.when(isDigit(w.load8(get('position'))), advance('position', 1), w.br(1)))

/** `true`, `false` and `null`; stands in the block of a value. */
function readSpelled(text: string, kind: number): Code {
  return w.when(
    w.eq(get('byte'), num(text.charCodeAt(0))),
    w.brIf(NO_MATCH + 2, w.ne(w.load32(w.add(get('position'), num(text.length - 4))), spelled(text.slice(-4)))),
    advance('position', text.length),
    set('kind', num(kind)),
    set('stop', get('position')),
    w.br(1),
  )
}

/** Without exponent: such lines are left to the general reader. Stands in the block of a value. */
const readNumber: Code = [
  ...w.when(w.eq(get('byte'), num(45)), advance('position', 1), set('byte', w.load8(get('position')))),
  ...w.brIf(NO_MATCH + 1, w.eqz(isDigit(get('byte')))),
  ...advance('position', 1),
  ...w.when(w.ne(get('byte'), num(48)), skipDigits),
  ...w.when(
    w.eq(w.load8(get('position')), num(46)),
    advance('position', 1),
    w.brIf(NO_MATCH + 2, w.eqz(isDigit(w.load8(get('position'))))),
    skipDigits,
  ),
  ...set('kind', num(valueKind.number)),
  ...set('stop', get('position')),
]

/** All members of a line; stands in the loop over members. */
const readMember: Code = [
  ...readLiteral,
  ...w.brIf(LINE_READ, w.eqz(get('rest'))),
  ...set('byte', w.load8(get('position'))),
  ...set('start', get('position')),
  ...w.block(
    w.when(
      w.eq(get('byte'), num(0x22)),
      readText(NO_MATCH + 2),
      w.when(w.eqz(w.or(get('flags'), get('isDropped'))), findNeedles),
      set('position', w.add(get('stop'), num(1))),
      set('kind', get('flags')),
      w.br(1),
    ),
    readSpelled('true', valueKind.isTrue),
    readSpelled('false', valueKind.isFalse),
    readSpelled('null', valueKind.isNull),
    readNumber,
  ),
  ...w.when(
    memberWord('isKept'),
    w.store32(get('record'), get('start')),
    w.store32(w.add(get('record'), num(4)), w.or(get('stop'), w.shl(get('kind'), num(KIND_SHIFT)))),
    advance('record', 8),
  ),
  ...advance('member', memberWords.count * 4),
  ...advance('rest', -1),
  ...w.br(0),
]

const recordHead = (kind: Code): Code => w.store32(get('out'), w.or(get('lineStart'), w.shl(kind, num(TEMPLATE_SHIFT))))

/**
 * Reads JSON lines that look like lines before: a template is the bytes between the values of such a line, so a line that
 * has them all and well-formed values is well-formed. Records hold where the values are that someone wants.
 */
const body: Code = [
  ...set('quote', w.i8x16Splat(num(0x22))),
  ...set('backslash', w.i8x16Splat(num(0x5c))),
  ...set('space', w.i8x16Splat(num(0x20))),
  ...set('position', get('from')),
  ...w.block(
    w.loop(
      // 0: next line, 1: stop
      set('lineStart', get('position')),
      set('kind', num(stopped.atEnd)),
      w.brIf(1, w.leU(get('end'), get('position'))),
      set('kind', num(stopped.full)),
      w.brIf(1, w.gtU(get('out'), get('outEnd'))),
      set('tries', num(0)),
      w.loop(
        // 0: next template, 1: next line, 2: stop
        w.block(
          // 0: no match, 1: next template, 2: next line
          set('position', get('lineStart')),
          set('record', w.add(get('out'), num(4))),
          set('isDropped', num(0)),
          set('member', word(w.add(get('templates'), w.shl(get('template'), num(2))), 1)),
          set('rest', word(get('member'), 0)),
          advance('member', 4),
          w.block(w.loop(readMember)),
          set('byte', w.load8(get('position'))),
          w.when(w.eq(get('byte'), num(13)), advance('position', 1), set('byte', w.load8(get('position')))),
          w.brIf(0, w.ne(get('byte'), num(10))),
          advance('position', 1),
          w.whenElse(
            get('isDropped'),
            [...recordHead(num(recordKind.dropped)), ...advance('out', 4)],
            [...recordHead(get('template')), ...set('out', get('record'))],
          ),
          w.br(2),
        ),
        advance('tries', 1),
        advance('template', 1),
        w.when(w.leU(word(get('templates'), 0), get('template')), set('template', num(0))),
        w.brIf(0, w.ltU(get('tries'), word(get('templates'), 0))),
      ),
      set('kind', num(stopped.unknown)),
      set('position', get('lineStart')),
    ),
  ),
  ...w.store32(get('state'), get('position')),
  ...w.store32(w.add(get('state'), num(4)), get('out')),
  ...w.store32(w.add(get('state'), num(8)), get('template')),
  ...w.store32(w.add(get('state'), num(12)), get('kind')),
]

/** The kernel for memories of exactly so many pages. */
export function scanModule(pages: number): Uint8Array {
  return moduleOf(params.length, { i32: locals.length, v128: vectors.length }, body, pages)
}
