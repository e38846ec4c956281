/**
 * Loops over the bytes of one memory, each in two forms: compiled from `assembly/`, and as plain TypeScript in
 * `plain/`. Parameters are byte addresses unless stated otherwise; `layout.ts` has the layouts. Kernels read and write
 * whole vectors, so `SLACK_BYTES` after each range must belong to the memory. Nothing is checked: the caller is
 * responsible for ranges, sizes and alignment.
 */
export interface Kernels {
  /**
   * Sets the bit of every row whose bytes contain a needle. `offsets` has the start of each row and the end of the last
   * one; `offsets`, `from` and `end` count from `text`, which may be before the memory. `masks[k]`, 0x20 where case is
   * ignored, is or-ed to a byte before it is compared with `needle[k]`. `probeA` and `probeB` are indexes of rare bytes
   * of the needle. `edges` are `EDGE_` bits: with them the match must not be adjacent to a byte that `wordTable` marks.
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
   * Adds each value's two parts and 1 to the sums of its group (`SUM_BYTES`); adding and subtracting a cut gives a
   * part. A value that does not fit into the parts, exceeds `limit` or is NaN is skipped, and its address goes to
   * `misses`. Returns the end of `misses`.
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
   * Counts the values of each group by bucket, without NaN. The bucket is the upper half of the double as an integer
   * that grows with it, without its last `shift` bits, counted from `base`. `histogram` has 32 bits for each of
   * `buckets` buckets of each group.
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
   * Replaces each number in `lefts` by that of its pair with the number in `rights`. `table[left × size + right]` has
   * the number of a pair plus one, 0 for a new pair: its index in the table goes to `added`, and it gets the next
   * number. `count` pairs are known; returns the new count.
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
   * Writes strings as JSON in sequence and returns the end of the output. The ranges, `stride` bytes apart, become
   * those of the JSON. A string with a byte for which `escapes` has no letter, or beyond ASCII, gets the length
   * `BY_VALUE` and is counted at `refused`. Ranges with address 0 stay.
   */
  quoteStrings(range: number, stride: number, count: number, out: number, escapes: number, refused: number): number

  /**
   * Writes doubles as `String` does. Those with an exponent, infinities, NaN and minus zero become `BY_VALUE` as in
   * `quoteStrings`.
   */
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
   * Writes times of one minute as JSON strings: the prefix, then the seconds with nine digits. `nanos` are doubles,
   * nanoseconds since the minute began; for negative values and NaN nothing is written and the range stays.
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
   * Writes rows as JSON objects, each after a separator of one or two bytes, the first one lowest, and returns the end
   * of the output. The ranges of values follow each other row by row. A value of length 0 is replaced by its column's
   * default range; when that is empty too, the member is left out. A key begins with a comma.
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
   * Writes points as `,[1767225600.123,"0.1"]` until one has a time beyond 2^53 ms or a number that `writeNumbers` does
   * not write. Returns the end of the output, and stores the number of points at `written`.
   */
  writePoints(times: number, values: number, count: number, out: number, tables: number, written: number): number

  /**
   * Writes rate, increase or difference of each window `(end - rangeMs, end]` of a series, and 1 as its kind; kind 0
   * when a window has fewer than two samples. Ends must ascend. Returns the address of the time with which the last
   * window begins.
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
   * Reads JSON lines that resemble earlier lines. A template has the bytes between the values of such a line, so a line
   * with these bytes and valid values is valid. Writes one record for each line until `outEnd`; one record may exceed
   * it. `templates` has the number of templates, then their addresses; `template` is the index of the one to try first.
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

  /**
   * Converts the ASCII letters in `[text, end)` to lower case, and sets in `bits` the bit of each byte that belongs to
   * a word, as all bytes beyond ASCII do.
   */
  foldWords(text: number, bits: number, end: number): void

  /**
   * Adds the words of the texts `[at, to)` of a batch whose first text is that of `row`, after `foldWords`; text `i` is
   * between the offsets `i` and `i + 1`, minus the first of them. Stops before a row whose words may need more than the
   * remaining memory.
   */
  readWords(text: number, bits: number, offsets: number, row: number, at: number, to: number, state: number): void
}
