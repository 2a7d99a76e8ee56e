import { Button, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { mailAccountInput, passwordIsFor } from '#domain/mail-account.ts'
import { unknownPassword } from '#domain/mail-providers.ts'
import { usePreferences } from '#features/preferences/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import classes from './mail.module.css'
import {
  type FoundServers,
  findServers,
  type MailAccount,
  useSaveAccount,
  useTestAccount,
} from './queries.ts'

type AccountDialogProps = { account: MailAccount | null; onClose: () => void }

const formFields = mailAccountInput.extend({
  name: z.string().max(200, 'The name is too long.'),
  login: z.string(),
  smtp_host: z.string(),
  password: z.string().max(1000, 'The password is too long.'),
})

type Values = z.output<typeof formFields>

/** Requires a password, unless the saved one still fits: a new address or server needs it again. */
function schemaFor(account: MailAccount | null) {
  return formFields.check(({ value, issues }) => {
    if (value.password !== '') return
    const isElsewhere =
      account && passwordIsFor.some((field) => (account[field] ?? '') !== (value[field] ?? ''))
    if (account && !isElsewhere) return
    issues.push({
      code: 'custom',
      path: ['password'],
      message: account
        ? 'Enter the password: the saved one is for the address and servers of before.'
        : 'Enter the password.',
      input: value.password,
    })
  })
}

const securities = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
]

/** Connects a mailbox, or changes how it is reached. */
export function AccountDialog({ account, onClose }: AccountDialogProps) {
  const { mutateAsync: save } = useSaveAccount()
  const { data: preferences } = usePreferences()
  const test = useTestAccount()
  const [found, setFound] = useState<FoundServers | null>(null)
  const [isFinding, setIsFinding] = useState(false)
  const [testedFor, setTestedFor] = useState<string | null>(null)
  const [areServersShown, setAreServersShown] = useState(account !== null)
  const [formSchema] = useState(() => schemaFor(account))
  const { form, dialog } = useRecordForm({
    schema: formSchema,
    initialValues: {
      ...(account ? { id: account.id } : {}),
      address: account?.address ?? '',
      name: account ? (account.name ?? '') : (preferences?.display_name ?? ''),
      login: account?.login ?? '',
      password: '',
      imap_host: account?.imap_host ?? '',
      imap_port: account?.imap_port ?? 993,
      imap_security: account?.imap_security ?? 'tls',
      smtp_host: account?.smtp_host ?? '',
      smtp_port: account?.smtp_port ?? 465,
      smtp_security: account?.smtp_security ?? 'tls',
    },
    save: async (values) => {
      await save(toSend(values))
      onClose()
    },
  })

  /** The address whose servers are in the form, or are looked for, and what was filled in for it. */
  const filled = useRef({ address: '', servers: JSON.stringify(noServers) })
  async function find(): Promise<void> {
    const address = form.getValues().address.trim()
    if (account || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) return
    // What somebody typed stays; what was found for an address that was corrected does not.
    const isUntouched = JSON.stringify(serversIn(form.getValues())) === filled.current.servers
    if (!isUntouched || filled.current.address === address) return
    filled.current.address = address
    setIsFinding(true)
    const servers = await findServers(address).catch(() => null)
    if (filled.current.address !== address) return
    setFound(servers)
    // Without an answer they can be typed, which is offered now.
    const { imap, smtp, login = '' } = servers ?? {}
    const fields = {
      ...noServers,
      ...(imap && { imap_host: imap.host, imap_port: imap.port, imap_security: imap.security }),
      ...(smtp && { smtp_host: smtp.host, smtp_port: smtp.port, smtp_security: smtp.security }),
      login,
    }
    form.setValues(fields)
    filled.current.servers = JSON.stringify(fields)
    setIsFinding(false)
    setAreServersShown(true)
  }

  function runTest(): void {
    const values = formSchema.safeParse(form.getValues())
    if (values.success) {
      setTestedFor(JSON.stringify(form.getValues()))
      test.mutate(toSend(values.data))
    } else void dialog.onSubmit()
  }

  // What was tested with other values says nothing about these.
  const typed = JSON.stringify(form.getValues())
  const result = test.data && !test.isPending && testedFor === typed ? test.data : null
  return (
    <FormDialog
      title={account ? 'Edit mailbox' : 'Connect mailbox'}
      submitLabel={account ? 'Save' : 'Connect'}
      size={560}
      {...dialog}
      onClose={onClose}
    >
      <TextInput
        type="email"
        label="Email address"
        name="address"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('address')}
        onBlur={find}
      />
      <div className={classes.hint}>
        {isFinding ? 'Looking for its servers…' : (found?.password ?? unknownPassword)}
      </div>
      <TextInput
        label="Your name"
        name="name"
        description="Shown to whoever gets your emails."
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <PasswordInput
        label="Password or app password"
        name="password"
        autoComplete="new-password"
        placeholder={account ? 'Leave empty to keep the one that is saved' : ''}
        {...form.getInputProps('password')}
      />
      {areServersShown && (
        <>
          <TextInput
            label="User name"
            name="login"
            description="Leave empty if it’s your email address."
            autoComplete="off"
            {...form.getInputProps('login')}
          />
          <ServerFields label="Incoming server (IMAP)" kind="imap" form={form} />
          <ServerFields label="Outgoing server (SMTP)" kind="smtp" form={form} />
        </>
      )}
      <div className={classes.test}>
        <Button variant="default" onClick={runTest} loading={test.isPending}>
          Test
        </Button>
        {result && (
          <div
            className={classes.result}
            role="status"
            // On a phone it is below what is seen.
            ref={(element) => element?.scrollIntoView?.({ block: 'nearest' })}
          >
            <Tested name="Reading" problem={result.imap} />
            <Tested name="Sending" problem={result.smtp} />
          </div>
        )}
      </div>
    </FormDialog>
  )
}

type Servers = Pick<Values, `${'imap' | 'smtp'}_${'host' | 'port' | 'security'}` | 'login'>

const noServers: Servers = {
  ...{ imap_host: '', imap_port: 993, imap_security: 'tls' },
  ...{ smtp_host: '', smtp_port: 465, smtp_security: 'tls', login: '' },
}

/** In the order of {@link noServers}. */
function serversIn(values: Servers): Servers {
  const { imap_host, imap_port, imap_security, smtp_host, smtp_port, smtp_security, login } = values
  return { imap_host, imap_port, imap_security, smtp_host, smtp_port, smtp_security, login }
}

type ServerFieldsProps = {
  label: string
  kind: 'imap' | 'smtp'
  form: { getInputProps: (path: string) => object }
}

function ServerFields({ label, kind, form }: ServerFieldsProps) {
  return (
    <div className={classes.server}>
      <TextInput
        label={label}
        name={`${kind}_host`}
        autoComplete="off"
        {...form.getInputProps(`${kind}_host`)}
      />
      <NumberInput
        label="Port"
        name={`${kind}_port`}
        min={1}
        max={65_535}
        hideControls
        {...form.getInputProps(`${kind}_port`)}
      />
      <Select
        label="Encryption"
        name={`${kind}_security`}
        data={securities}
        allowDeselect={false}
        {...form.getInputProps(`${kind}_security`)}
      />
    </div>
  )
}

function Tested({ name, problem }: { name: string; problem: string | null }) {
  const Mark = problem ? IconX : IconCheck
  return (
    <div className={problem ? classes.problem : undefined}>
      <Mark size={14} stroke={2} aria-hidden />
      <span>
        {name}: {problem ?? 'works.'}
      </span>
    </div>
  )
}

function toSend({ password, name, login, smtp_host, ...values }: Values) {
  return {
    account: {
      ...values,
      name: name.trim() || null,
      login: login.trim() || null,
      smtp_host: smtp_host.trim() || null,
    },
    password: password === '' ? null : password,
  }
}
