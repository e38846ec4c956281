import type { Budget } from '../../base/index.ts'
import type { Segment } from '../../store/index.ts'
import type { Helpers, SharedWork } from './helpers.ts'
import type { QueryEnd } from './query-end.ts'
import type { Waits } from './waits.ts'

/** A first piece may take so long only because its code was never compiled, milliseconds: the second one tells. */
const NEW_CODE_MS = 4

/** So much of the least work is done before what is left is told from it: others begin the sooner the less it is. */
const SEEN_SHARE = 0.03

/** Whoever is done before the others holds the thread for them so long: to sleep until a message wakes it takes longer than most last pieces. */
const HOLD_MS = 1

/** What the pieces looked at here tell of those that are left. */
export interface PiecesSoFar {
  readonly pieces: number
  /** All that was measured, milliseconds. */
  readonly workedMs: number
  /** What one more piece takes. The first one is left out once there are others: it may have what was never compiled. */
  readonly pieceMs: number
  /** What was spent beside that, mostly before the first piece: a thread that helps spends about as much before its own. */
  readonly beginMs: number
  readonly leftMs: number
}

/** The query that pieces are part of. */
export interface PiecesOfQuery {
  readonly helpers: Helpers | undefined
  readonly budget: Budget
  readonly waits: Waits
  readonly end: QueryEnd
}

/** Pieces of work that several threads may do, each once. */
export interface PiecesToShare<Part> {
  /** Nobody helps unless given. */
  readonly query: PiecesOfQuery | undefined
  readonly pieceCount: number
  /** What others do, as plain data; `undefined` where another thread cannot do the same. */
  readonly task: () => unknown
  /** That the task speaks of; none unless given. */
  readonly segments?: (() => readonly Segment[]) | undefined
  /** Whether others may help at all, whatever it takes; asked before each piece until they are asked to, and of work that they were asked for ahead. They may unless given. */
  readonly isShareable?: (() => boolean) | undefined
  /** Whether it is sooner done together, as far as the pieces so far tell. What is left takes long enough then. */
  readonly isWorthSharing: (soFar: PiecesSoFar) => boolean
  /** Takes over what another thread gave of some pieces; false when it is of no use, and they are to be done here. */
  readonly take: (part: Part, pieces: readonly number[], workedMs: number) => boolean
  /** Of passes over all pieces; 0 unless given. */
  readonly firstPass?: number | undefined
  /** Milliseconds of any clock; that of the machine unless given. */
  readonly nowMs?: (() => number) | undefined
}

/** Hands pieces of work to this thread, and to others too once it is known that what is left takes long. */
export class SharedPieces<Part> {
  readonly #given: PiecesToShare<Part>
  readonly #nowMs: () => number
  /** By piece: 1 when it is done in this pass, or taken here. */
  readonly #isDone: Uint8Array
  /** Pieces below are done, or nobody needs them. */
  #next = 0
  #pieces = 0
  #pass: number
  #mayShare: boolean
  #shared: SharedWork | undefined
  /** Whether others were asked before anything was known of the pieces. */
  #isAskedAhead = false
  #workedMs = 0
  /** When what is measured right now began. */
  #sinceMs: number | undefined
  /** What had been measured before the first piece and before the second. */
  #beforeFirstMs = 0
  #beforeSecondMs = 0

  constructor(given: PiecesToShare<Part>) {
    this.#given = given
    this.#pass = given.firstPass ?? 0
    this.#nowMs = given.nowMs ?? (() => performance.now())
    this.#isDone = new Uint8Array(given.pieceCount)
    this.#mayShare = given.query?.helpers !== undefined
  }

  get isShared(): boolean {
    return this.#shared !== undefined
  }

  /** Milliseconds of what was measured. */
  get workedMs(): number {
    return this.#workedMs
  }

  /** Does what pieces take; whether they are worth sharing is told from that alone. */
  measured<T>(work: () => T): T {
    this.#sinceMs = this.#nowMs()
    try {
      return work()
    } finally {
      this.#workedMs = this.#measuredMs()
      this.#sinceMs = undefined
    }
  }

  #measuredMs(): number {
    return this.#workedMs + (this.#sinceMs === undefined ? 0 : this.#nowMs() - this.#sinceMs)
  }

  /**
   * The next piece to look at here, none below `from`; in ascending order unless others help. `later` while another thread has to
   * give something first: then the query waits for it. `undefined` when all pieces are done.
   */
  next(from = 0): number | 'later' | undefined {
    this.#next = Math.max(this.#next, from)
    while (this.#isDone[this.#next] === 1) this.#next++
    if (this.#isAskedAhead && this.#given.isShareable?.() === false) this.end()
    if (this.#mayShare && this.#isWorthSharing()) this.#offer(this.#pieces === 0 ? Infinity : this.#soFar().leftMs)
    const shared = this.#shared
    const piece = shared?.next()
    if (piece !== undefined) return this.#taken(piece)
    if (shared !== undefined) {
      shared.settle(HOLD_MS)
      this.#takeParts(shared)
      if (shared.isWaiting) {
        this.#given.query?.waits.add(shared.come())
        return 'later'
      }
      // What others have begun and not given is done here.
      while (this.#isDone[this.#next] === 1) this.#next++
    }
    return this.#next < this.#isDone.length ? this.#taken(this.#next) : undefined
  }

  #taken(piece: number): number {
    this.#isDone[piece] = 1
    this.#pieces++
    if (this.#pieces === 1) this.#beforeFirstMs = this.#measuredMs()
    if (this.#pieces === 2) this.#beforeSecondMs = this.#measuredMs()
    return piece
  }

  #isWorthSharing(): boolean {
    const helpers = this.#given.query?.helpers
    if (helpers === undefined || this.#isDone.length - this.#next < 2 || this.#given.isShareable?.() === false)
      return false
    if (helpers.leastMs === 0) return true
    if (this.#pieces === 0) return false
    const soFar = this.#soFar()
    if (soFar.pieces === 1 && soFar.pieceMs < NEW_CODE_MS) return false
    const isLong = soFar.workedMs > helpers.leastMs * SEEN_SHARE && soFar.leftMs > helpers.leastMs
    return isLong && this.#given.isWorthSharing(soFar)
  }

  #soFar(): PiecesSoFar {
    const pieces = this.#pieces
    const workedMs = this.#measuredMs()
    const pieceMs = pieces === 1 ? workedMs - this.#beforeFirstMs : (workedMs - this.#beforeSecondMs) / (pieces - 1)
    return {
      pieces,
      workedMs,
      pieceMs,
      beginMs: workedMs - pieceMs * pieces,
      leftMs: pieceMs * (this.#isDone.length - this.#next),
    }
  }

  /** Asks others before the first piece, where it is known that all of them take `leftMs` milliseconds at least: they begin while this thread does. */
  askAhead(leftMs: number): void {
    if (!this.#mayShare || this.#pieces > 0 || this.#isDone.length < 2) return
    this.#offer(leftMs)
    this.#isAskedAhead = this.isShared
  }

  #offer(leftMs: number): void {
    this.#mayShare = false
    const { query, task, segments, pieceCount } = this.#given
    if (query === undefined) return
    const { helpers, budget, end } = query
    const shared = helpers?.share({
      task,
      segments: segments?.() ?? [],
      pieceCount,
      nextPiece: this.#next,
      pass: this.#pass,
      budget,
      leftMs,
    })
    if (shared === undefined) return
    this.#shared = shared
    end.add(() => shared.end())
  }

  /** Takes over what others have given. */
  #takeParts(shared: SharedWork): void {
    for (let given = shared.given(); given !== undefined; given = shared.given()) {
      const part = given.part as Part | undefined
      if (part === undefined || !this.#given.take(part, given.pieces, given.workedMs)) continue
      for (const piece of given.pieces) this.#isDone[piece] = 1
    }
  }

  /**
   * Begins a pass over all pieces, when the one before has ended. Others take part if they did before and are told something, as plain
   * data; nobody else is asked from the second pass on.
   */
  begin(pass: number, told: unknown): void {
    this.#pass = pass
    this.#next = 0
    this.#isDone.fill(0)
    if (told === undefined) this.end()
    else this.#shared?.go(pass, told)
    this.#mayShare = false
  }

  /** Nothing more comes of what others do. */
  end(): void {
    this.#shared?.end()
    this.#shared = undefined
    this.#isAskedAhead = false
  }
}
