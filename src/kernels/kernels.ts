/**
 * Loops over the bytes of one memory, each in two forms: compiled from `assembly/`, and as plain TypeScript in `plain/`. Parameters
 * are byte addresses unless said otherwise; `layout.ts` has the layouts. Kernels read and write whole vectors, so `SLACK_BYTES`
 * after each range must belong to the memory. Nothing is checked: the caller answers for ranges, sizes and alignment.
 */
export interface Kernels {
  /**
   * Sets the bit of every row whose bytes contain a needle. `offsets` has where each row begins and the last one ends; they, `from`
   * and `end` count from `text`, which may lie before the memory. `masks[k]`, 0x20 where case does not count, is or-ed to a byte
   * before it is compared with `needle[k]`. `probeA` and `probeB` are indexes of rare bytes of the needle. `edges` are `EDGE_` bits:
   * with them the match must not be next to a byte that `wordTable` has a value for.
   */
  findLiteral(
    text: number,
    from: number,
    end: number,
    offsets: number,
    needle: number,
    length: number,
    masks: number,
    probeA: number,
    probeB: number,
    edges: number,
    wordTable: number,
    bitmap: number,
  ): void

  /**
   * Adds each value's two parts and 1 to the sums of its group (`SUM_BYTES`); adding and subtracting a cut gives a part. A value
   * that the parts do not hold, that is beyond `limit`, or NaN is left out: its address goes to `misses`. Gives where these end.
   */
  sumExactly(
    groups: number,
    values: number,
    valuesEnd: number,
    sums: number,
    cutHigh: number,
    cutLow: number,
    limit: number,
    misses: number,
  ): number

  /**
   * Counts the values of each group by bucket, NaN apart. The bucket is the upper half of the double as an integer that grows with
   * it, without its last `shift` bits, counted from `base`. `histogram` has 32 bits for each of `buckets` buckets of each group.
   */
  countByBits(
    groups: number,
    values: number,
    valuesEnd: number,
    buckets: number,
    shift: number,
    base: number,
    histogram: number,
  ): void

  /**
   * Replaces each number in `lefts` by that of the pair it forms with the number in `rights`. `table[left × size + right]` has the
   * number of a pair plus one, 0 for a pair that is new: its index in the table goes to `added`, and it gets the next number. `count`
   * pairs are known; gives how many are known then.
   */
  numberPairs(
    lefts: number,
    leftsEnd: number,
    rights: number,
    table: number,
    size: number,
    added: number,
    count: number,
  ): number

  /**
   * Writes strings as JSON one after the other; gives where they end. The ranges, `stride` bytes apart, become those of the JSON. A
   * string with a byte that `escapes` has no letter for, or beyond ASCII, gets `BY_VALUE` as its length and is counted at `refused`.
   * Ranges with address 0 stay.
   */
  quoteStrings(range: number, stride: number, count: number, out: number, escapes: number, refused: number): number

  /** Writes doubles as `String` does. Those with an exponent, infinite, NaN and minus zero become `BY_VALUE` as in `quoteStrings`. */
  writeNumbers(
    range: number,
    stride: number,
    count: number,
    values: number,
    out: number,
    tables: number,
    refused: number,
  ): number

  /**
   * Writes times of one minute as JSON strings: the prefix, then the seconds with nine digits. `nanos` are doubles, nanoseconds since
   * the minute began; below 0 and for NaN nothing is written and the range stays.
   */
  writeTimes(
    range: number,
    stride: number,
    count: number,
    nanos: number,
    prefix: number,
    prefixBytes: number,
    out: number,
  ): number

  /**
   * Writes rows as JSON objects, each after a separator of one or two bytes, the first one lowest; gives where they end. The ranges of
   * values follow each other row by row. A value without length takes the range that its column has for that; without length there
   * neither, its member is left out. A key begins with a comma.
   */
  joinPieces(
    range: number,
    columns: number,
    columnsAt: number,
    rows: number,
    separator: number,
    separatorBytes: number,
    out: number,
  ): number

  /**
   * Writes points as `,[1767225600.123,"0.1"]` until one has a time beyond 2^53 ms or a number of another form than `writeNumbers`
   * writes; gives where they end, and stores how many there are at `written`.
   */
  writePoints(times: number, values: number, count: number, out: number, tables: number, written: number): number

  /**
   * Writes rate, increase or difference of each window `(end - rangeMs, end]` of a series, and 1 as its kind; kind 0 where a window
   * has fewer than two samples. Ends ascend. Gives the address of the time that the last window begins with.
   */
  rateWindows(
    times: number,
    timesEnd: number,
    values: number,
    ends: number,
    endsEnd: number,
    out: number,
    kinds: number,
    rangeMs: number,
    divisor: number,
    isCounter: number,
  ): number

  /**
   * Reads JSON lines that look like lines before. A template has the bytes between the values of such a line, so a line with these
   * bytes and well-formed values is well-formed. Writes one record per line until `outEnd`; a record may be written after it.
   * `templates` has the number of templates, then their addresses; `template` is the index of the one to try first.
   */
  scanLines(
    from: number,
    end: number,
    out: number,
    outEnd: number,
    templates: number,
    template: number,
    state: number,
  ): void

  /** Folds the ASCII letters in `[text, end)`, and sets in `bits` the bit of each byte that belongs to a word; all beyond ASCII do. */
  foldWords(text: number, bits: number, end: number): void

  /**
   * Enters the words of the texts `[at, to)` of a batch whose first text is that of `row`, as `foldWords` left them; text `i` lies
   * between the offsets `i` and `i + 1`, less the first of them. Stops before a row whose words may need more memory than is left.
   */
  readWords(text: number, bits: number, offsets: number, row: number, at: number, to: number, state: number): void
}
