import { Group, Pagination, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './data-table.module.css'

export interface Column<Row> {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Hidden on a phone, where the table is a list. */
  readonly wideOnly?: boolean
}

interface DataTableProps<Row> {
  /** The name of the table for screen readers. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  /** Buttons at the end of a row. */
  readonly actions?: (row: Row) => ReactNode
  /** Shows all rows at once, for a list that is already paged. */
  readonly isWhole?: boolean
  /** Whether a click anywhere in a row follows the link in its first cell. */
  readonly opensRow?: boolean
}

const rowsPerPage = 50

/** The look of a button in a row. */
export const rowButton = { size: 'compact-sm', variant: 'subtle' } as const

interface RowTitleProps {
  readonly children: ReactNode
  /** In small letters below it. */
  readonly detail?: ReactNode
}

/** The first cell of a row. */
export const RowTitle = ({ children, detail }: RowTitleProps) => (
  <>
    <Text fw={550}>{children}</Text>
    {detail && (
      <Text size="xs" c="dimmed">
        {detail}
      </Text>
    )}
  </>
)

const fromTabletOn = { visibleFrom: 'sm' } as const

/** A list in rows and columns, 50 rows at a time. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, rowKey, columns, actions, isWhole = false, opensRow = false } = props
  const [wanted, setPage] = useState(1)
  const pages = isWhole ? 1 : Math.max(1, Math.ceil(rows.length / rowsPerPage))
  const page = Math.min(wanted, pages)
  const shown = isWhole ? rows : rows.slice((page - 1) * rowsPerPage, page * rowsPerPage)
  return (
    <Stack gap="sm">
      <Paper withBorder className={classes.frame}>
        <Table
          role="table"
          aria-label={label}
          verticalSpacing={8}
          horizontalSpacing="md"
          className={classes.table}
          data-single={columns.slice(1).every(({ wideOnly }) => wideOnly) || undefined}
          data-opens={opensRow || undefined}
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ header, wideOnly }) => (
                <Table.Th role="columnheader" key={header} {...(wideOnly && fromTabletOn)}>
                  {header}
                </Table.Th>
              ))}
              {actions !== undefined && (
                <Table.Th role="columnheader">
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {shown.map((row) => (
              <Table.Tr role="row" key={rowKey(row)}>
                {columns.map(({ header, cell, wideOnly }) => (
                  <Table.Td role="cell" key={header} {...(wideOnly && fromTabletOn)}>
                    {cell(row)}
                  </Table.Td>
                ))}
                {actions !== undefined && (
                  <Table.Td role="cell" className={classes.actions}>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      {actions(row)}
                    </Group>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {pages > 1 && (
        <Group justify="center">
          <Pagination
            total={pages}
            value={page}
            onChange={setPage}
            size="sm"
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </Stack>
  )
}
