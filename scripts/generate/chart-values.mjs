import { isMap, isScalar, parseDocument, stringify } from 'yaml'

/** The text of a comment, on one line. What an empty line separates from the key describes the file. */
const textOf = (comment) =>
  (comment ?? '')
    .split('\n\n')
    .at(-1)
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()

/** In a cell of a table: Markdown without what would end the cell or begin a tag. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const defaultOf = (node) => {
  if (isScalar(node) && node.value === '') return ''
  const flow = stringify(node.toJSON(), { collectionStyle: 'flow', lineWidth: 0 }).trim()
  // Padding is for maps alone.
  return `\`${cell(flow.replaceAll('[ ', '[').replaceAll(' ]', ']'))}\``
}

/** A map with names below it that are described one by one. Maps that stand in one line, and lists, are values as a whole. */
const isGroup = (node, path) =>
  isMap(node) && !node.flow && !/(^|\.)resources$/.test(path) && !/^services\../.test(path)

/** The values in a map, each as `{ path, default, text }`; groups have no default. The first comment of a map precedes its first key. */
const rowsOf = (map, prefix = '') =>
  map.items.flatMap(({ key, value }, index) => {
    const path = `${prefix}${key.value}`
    const text = textOf(key.commentBefore ?? (index === 0 ? map.commentBefore : undefined))
    return isGroup(value, path)
      ? [...(text === '' ? [] : [{ path, text }]), ...rowsOf(value, `${path}.`)]
      : [{ path, text, default: defaultOf(value) }]
  })

const table = (rows) =>
  [
    '| value | default | |',
    '| --- | --- | --- |',
    ...rows.map((row) => `| \`${row.path}\` | ${row.default ?? ''} | ${cell(row.text)} |`),
  ].join('\n')

/** The tables of all values of the chart, from the keys and comments of values.yaml. Throws for a value without a comment. */
const valuesTables = (text) => {
  const { contents } = parseDocument(text)
  const rows = rowsOf(contents)
  const bare = rows.filter((row) => row.text === '' && !/^services\./.test(row.path)).map(({ path }) => path)
  if (bare.length > 0) throw new Error(`deploy/helm/parlance/values.yaml has no comment before ${bare.join(', ')}.`)
  const names = [...new Set(rows.map(({ path }) => path.split('.', 1)[0]))]
  const sections = names.map((name) => ({ name, rows: rows.filter(({ path }) => path.split('.', 1)[0] === name) }))
  const single = sections.filter(({ rows }) => rows.length === 1).flatMap(({ rows }) => rows)
  return [
    table(single),
    ...sections
      .filter(({ rows }) => rows.length > 1)
      .map(({ name, rows: [first, ...rest] }) =>
        first.path === name
          ? `### ${name}\n\n${first.text}\n\n${table(rest)}`
          : `### ${name}\n\n${table([first, ...rest])}`,
      ),
  ].join('\n\n')
}

const introduction = `# Values of the chart

Every value of \`deploy/helm/parlance\`, with its default. \`helm show values\` prints them too, and the schema refuses any other name.
[install.md](install.md) describes how they work together.

<!-- Written by \`npm run generate\` from values.yaml. -->
`

/** The page of the documentation with all values, and the README of the chart with the same tables, from the text of values.yaml. */
export const chartValues = (read, values) => {
  const tables = valuesTables(values)
  const readme = read('deploy/helm/parlance/README.md')
  const written = readme.replace(/(<!-- Begin: values\b.*-->\n)[\s\S]*$/, (_, begin) => `${begin}\n${tables}\n`)
  return {
    'docs/chart-values.md': `${introduction}\n${tables.replaceAll(/^###/gm, '##')}\n`,
    'deploy/helm/parlance/README.md': written,
  }
}
