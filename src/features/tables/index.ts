export { type RecordListProps, RecordTable } from './record-table.tsx'
export { type ColumnsOptions, tableColumns } from './table-columns.ts'
