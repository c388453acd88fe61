import Table from 'cli-table3'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: 'right'
}

const gap = 2
/** The minimum width of a last column of words. */
const minWordsWidth = 10

const borderless = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((place) => [place, '']),
)

/** Escapes characters that would control the terminal: names are user input. */
const printable = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Breaks words that are too long into lines. A character beyond Latin may take two columns. */
const broken = (text: string, width: number): string =>
  text.replace(/\S+/g, (word) => {
    const fitting = /^[\u0020-\u024f]*$/.test(word) ? width : Math.floor(width / 2)
    return word.match(new RegExp(`.{1,${fitting}}`, 'gu'))!.join('\n')
  })

const widthsOf = (rows: readonly string[][]) =>
  rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)) + gap)
const sum = (widths: readonly number[]) => widths.reduce((total, one) => total + one, 0)

/** Wraps the last column, which has words, into the width that the other columns leave. */
const wrapped = (rows: readonly string[][], width: number) => {
  const widths = widthsOf(rows).slice(0, -1)
  const left = Math.max(width - sum(widths), minWordsWidth)
  return {
    rows: rows.map((row) => [...row.slice(0, -1), broken(row.at(-1)!, left)]),
    options: { colWidths: [...widths, left + gap], wordWrap: true },
  }
}

const draw = (cells: readonly string[][], colAligns: Array<'left' | 'right'>, width: number | undefined): string => {
  const safe = cells.map((row) => row.map(printable))
  const hasWords = colAligns.at(-1) === 'left'
  const { rows, options } = width !== undefined && hasWords ? wrapped(safe, width) : { rows: safe, options: {} }
  const lines = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [], compact: true },
    colAligns,
    ...options,
  })
  lines.push(...rows)
  return lines.toString().replace(/ +$/gm, '')
}

/** A line for each field. */
export const record = (fields: Readonly<Record<string, string>>, width?: number): string =>
  draw(Object.entries(fields), ['left', 'left'], width)

/**
 * Columns without borders. A last column of words is wrapped to stay within `width`; when the others leave no
 * room for it, each row is a record. With no width, as for a file or another program, every row is one line.
 */
export const table = <Row>(columns: ReadonlyArray<Column<Row>>, rows: readonly Row[], width = Infinity): string => {
  const titles = columns.map(({ title }) => title)
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)))
  const widths = widthsOf([titles, ...cells])
  const least = columns.at(-1)?.align === 'right' ? Infinity : minWordsWidth + gap
  const needed = sum(widths.slice(0, -1)) + Math.min(widths.at(-1)!, least) - gap
  if (needed > width) {
    const asFields = (row: string[]) => Object.fromEntries(titles.map((title, column) => [title, row[column]!]))
    return cells.map((row) => record(asFields(row), width)).join('\n\n')
  }
  return draw(
    [titles, ...cells],
    columns.map(({ align }) => align ?? 'left'),
    width === Infinity ? undefined : width,
  )
}
