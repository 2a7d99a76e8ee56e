import { PointerActivationConstraints } from '@dnd-kit/dom'
import { DragDropProvider, PointerSensor } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { ActionIcon, SegmentedControl } from '@mantine/core'
import { IconEye, IconEyeOff, IconGripVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod/mini'
import { counted } from '#domain/counted.ts'
import { type OwnField, type OwnRecord, ownKinds, ownRecords } from '#domain/fields/own.ts'
import { moved } from '#domain/moved.ts'
import { TagList } from '#features/tags/index.ts'
import { useUrlState } from '#lib/url-state.ts'
import { AddressNotice } from '#ui/address-notice.tsx'
import { confirmAction } from '#ui/confirm.tsx'
import { FramedList } from '#ui/framed-list.tsx'
import { opens } from '#ui/lazy-part.tsx'
import { MoveButtons } from '#ui/move-buttons.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { EmptyState, ErrorState, LoadingState } from '#ui/states.tsx'
import { TintBadge } from '#ui/tint-badge.tsx'
import { showError } from '#ui/toast.tsx'
import { AddFieldButton } from '../add-field-button.tsx'
import { FieldDialog } from '../field-dialog-part.ts'
import { useFieldRows } from '../queries.ts'
import { recordNames } from '../record-names.ts'
import classes from './own-fields.module.css'
import { readFieldCounts, useChangeField, useDeleteField, useOrderFields } from './queries.ts'

const fieldsUrl = z.object({ record: z._default(z.enum([...ownRecords, 'tags']), 'contacts') })

const tabs = [
  ...ownRecords.map((value) => ({ value: String(value), label: recordNames[value].title })),
  { value: 'tags', label: 'Tags' },
]
const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }
/** This many options are named in a line. */
const mostNamed = 6

/** The fields that the user added to contacts, companies and deals. */
export function FieldsPage() {
  const { state, setState, noticeFor } = useUrlState(fieldsUrl)
  const { record } = state
  return (
    <div className={classes.page}>
      <ScreenHeader
        title="Fields"
        subtitle="Add custom fields to contacts, companies and deals"
        back={{ label: 'Settings', to: '/app/settings' }}
      />
      <div className={classes.head}>
        <SegmentedControl
          aria-label="Fields of"
          data={tabs}
          value={record}
          onChange={(value) => setState({ record: fieldsUrl.shape.record.parse(value) })}
        />
        {record !== 'tags' && <AddFieldButton key={record} record={record} variant="default" />}
      </div>
      <AddressNotice {...noticeFor('Fields')} />
      {record === 'tags' ? <TagList /> : <OwnFieldList record={record} />}
    </div>
  )
}

function OwnFieldList({ record }: { record: OwnRecord }) {
  const { rows, isLoading, problem, refetch } = useFieldRows()
  const fields = rows
    .filter((row) => row.record === record)
    .toSorted((one, other) => one.position - other.position)
  return (
    <>
      {isLoading && <LoadingState text="Loading fields..." />}
      {problem && (
        <ErrorState title="Your fields could not be loaded" message={problem} onRetry={refetch} />
      )}
      {!isLoading && !problem && fields.length === 0 && (
        <EmptyState
          title={`No custom fields for ${recordNames[record].many} yet`}
          hint="Add one, such as contract end or segment, and use it in forms, lists, filters and exports."
        />
      )}
      {fields.length > 0 && <FieldList key={record} fields={fields} />}
    </>
  )
}

// The keyboard has buttons of its own, as in other lists.
const sensors = [
  PointerSensor.configure({
    activationConstraints: [new PointerActivationConstraints.Distance({ value: 5 })],
  }),
]

function FieldList({ fields }: { fields: OwnField[] }) {
  const order = useOrderFields()
  const [edited, setEdited] = useState<OwnField | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const focusNext = useRef<string | null>(null)
  const shownOrder = fields.map(({ id }) => id).join()
  useEffect(() => {
    if (shownOrder === '' || !focusNext.current) return
    list.current?.querySelector<HTMLElement>(focusNext.current)?.focus()
    focusNext.current = null
  }, [shownOrder])
  function move(from: number, to: number): void {
    if (from === to) return
    const ids = fields.map(({ id }) => id)
    // The mutation reports a failure and rolls back.
    order(moved(ids, from, to)).catch(() => {})
  }
  return (
    <>
      <DragDropProvider
        sensors={sensors}
        onDragEnd={({ canceled, operation }) => {
          const { source } = operation
          if (canceled || !isSortable(source)) return
          move(source.initialIndex, source.index)
        }}
      >
        <FramedList ref={list} aria-label="Fields">
          {fields.map((field, index) => (
            <FieldRow
              key={field.id}
              field={field}
              index={index}
              count={fields.length}
              onMove={(to) => {
                move(index, to)
                // At an end the pressed button is disabled: focus the other one of the field.
                const end = to === 0 ? 'down' : to === fields.length - 1 ? 'up' : null
                focusNext.current = end && `[data-field="${field.id}"] [data-move="${end}"]`
              }}
              onEdit={() => setEdited(field)}
            />
          ))}
        </FramedList>
      </DragDropProvider>
      {edited && (
        <FieldDialog record={edited.record} field={edited} onClose={() => setEdited(null)} />
      )}
    </>
  )
}

type FieldRowProps = {
  field: OwnField
  index: number
  count: number
  onMove: (to: number) => void
  onEdit: () => void
}

function FieldRow({ field, index, count, onMove, onEdit }: FieldRowProps) {
  const { id, name, kind, options, is_hidden } = field
  const change = useChangeField()
  const remove = useRemoveField()
  const { ref, handleRef } = useSortable({ id, index })
  const rest = options.length - mostNamed
  return (
    <li ref={ref} data-field={id} className={classes.field}>
      <span ref={handleRef} className={classes.handle} title="Drag to move">
        <IconGripVertical {...icon} />
      </span>
      <div className={classes.about}>
        <div className={classes.name}>
          <bdi>{name}</bdi>
          {is_hidden && <TintBadge color="gray">Hidden</TintBadge>}
        </div>
        <div className={classes.badges}>
          <span className={classes.quiet}>{ownKinds[kind]}</span>
          {options.slice(0, mostNamed).map((option) => (
            <TintBadge key={option.id} color={option.color} isAsTyped>
              {option.name}
            </TintBadge>
          ))}
          {rest > 0 && <span className={classes.quiet}>{`and ${rest} more`}</span>}
        </div>
      </div>
      <div className={classes.actions}>
        <MoveButtons name={name} index={index} count={count} onMove={onMove} />
        <ActionIcon aria-label={`Edit ${name}`} title="Edit" {...opens(FieldDialog, onEdit)}>
          <IconPencil {...icon} />
        </ActionIcon>
        <ActionIcon
          aria-label={is_hidden ? `Show ${name}` : `Hide ${name}`}
          title={is_hidden ? 'Show' : 'Hide (values are kept)'}
          onClick={() =>
            change({
              field,
              changes: { is_hidden: !is_hidden },
              done: is_hidden ? `${name} shown` : `${name} hidden`,
            }).catch(() => {})
          }
        >
          {is_hidden ? <IconEye {...icon} /> : <IconEyeOff {...icon} />}
        </ActionIcon>
        <ActionIcon aria-label={`Delete ${name}`} title="Delete" onClick={() => remove(field)}>
          <IconTrash {...icon} />
        </ActionIcon>
      </div>
    </li>
  )
}

/** Asks, says how many records hold a value, and deletes. */
function useRemoveField() {
  const remove = useDeleteField()
  return async (field: OwnField): Promise<void> => {
    const { one, many } = recordNames[field.record]
    try {
      const counts = await readFieldCounts(field.record)
      const held = counts[field.id] ?? 0
      const goAhead = await confirmAction({
        title: `Delete ${field.name}?`,
        body:
          held === 0
            ? `No ${one} has a value for it.`
            : `${counted(held, one, many)} ${held === 1 ? 'has' : 'have'} a value for it, which is deleted too. You can undo this.`,
        confirm: 'Delete',
        isDangerous: true,
      })
      if (goAhead) remove(field).catch(() => {})
    } catch {
      showError('Failed to delete field: its values couldn’t be counted. Try again.')
    }
  }
}
