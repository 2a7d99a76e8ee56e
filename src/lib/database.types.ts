// Generated from the migrated database by `npm run types:database`. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      calendar_feeds: {
        Row: {
          user_id: string
          token: string
          created_at: string
          updated_at: string
        }
        Insert: { [_ in never]: never }
        Update: { [_ in never]: never }
        Relationships: []
      }
      card_feeds: {
        Row: {
          user_id: string
          token: string
          created_at: string
          updated_at: string
        }
        Insert: { [_ in never]: never }
        Update: { [_ in never]: never }
        Relationships: []
      }
      changes: {
        Row: {
          id: number
          user_id: string
          batch: string
          undoes: string | null
          table_name: string
          row_id: string
          contact_id: string | null
          company_id: string | null
          deal_id: string | null
          label: string | null
          verb: 'insert' | 'update' | 'delete'
          before: Json | null
          after: Json | null
          created_at: string
          names: Json | null
        }
        Insert: { [_ in never]: never }
        Update: { [_ in never]: never }
        Relationships: []
      }
      collection_members: {
        Row: {
          id: string
          user_id: string
          collection_id: string
          contact_id: string
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          collection_id: string
          contact_id: string
        }
        Update: {
          collection_id?: string
          contact_id?: string
        }
        Relationships: [
          { foreignKeyName: 'collection_members_collection_id_fkey'; columns: ['user_id', 'collection_id']; isOneToOne: false; referencedRelation: 'collections'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'collection_members_contact_id_fkey'; columns: ['user_id', 'contact_id']; isOneToOne: false; referencedRelation: 'contacts'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      collections: {
        Row: {
          id: string
          user_id: string
          name: string
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          name: string
        }
        Update: {
          name?: string
        }
        Relationships: []
      }
      companies: {
        Row: {
          id: string
          user_id: string
          name: string
          website: string | null
          industry: string | null
          location: string | null
          created_at: string
          updated_at: string
          custom: Json
          tags: string[]
          emails: Json
          phones: Json
          addresses: Json
          search_text: string
        }
        Insert: {
          id?: string
          user_id?: string
          name: string
          website?: string | null
          industry?: string | null
          location?: string | null
          custom?: Json
          tags?: string[]
          emails?: Json
          phones?: Json
          addresses?: Json
        }
        Update: {
          name?: string
          website?: string | null
          industry?: string | null
          location?: string | null
          custom?: Json
          tags?: string[]
          emails?: Json
          phones?: Json
          addresses?: Json
        }
        Relationships: []
      }
      contacts: {
        Row: {
          id: string
          user_id: string
          first_name: string | null
          last_name: string | null
          email: string | null
          phone_number: string | null
          role_title: string | null
          company_id: string | null
          lead_status: 'New' | 'Contacted' | 'Qualified' | 'Proposal Sent' | 'Unqualified'
          notes: string | null
          lead_score: number
          created_at: string
          updated_at: string
          nickname: string | null
          custom: Json
          tags: string[]
          birthday: string | null
          birthday_reminder: number | null
          middle_name: string | null
          emails: Json
          phones: Json
          links: Json
          addresses: Json
          search_text: string
        }
        Insert: {
          id?: string
          user_id?: string
          first_name?: string | null
          last_name?: string | null
          email?: string | null
          phone_number?: string | null
          role_title?: string | null
          company_id?: string | null
          lead_status?: 'New' | 'Contacted' | 'Qualified' | 'Proposal Sent' | 'Unqualified'
          notes?: string | null
          lead_score?: number
          nickname?: string | null
          custom?: Json
          tags?: string[]
          birthday?: string | null
          birthday_reminder?: number | null
          middle_name?: string | null
          emails?: Json
          phones?: Json
          links?: Json
          addresses?: Json
        }
        Update: {
          first_name?: string | null
          last_name?: string | null
          email?: string | null
          phone_number?: string | null
          role_title?: string | null
          company_id?: string | null
          lead_status?: 'New' | 'Contacted' | 'Qualified' | 'Proposal Sent' | 'Unqualified'
          notes?: string | null
          lead_score?: number
          nickname?: string | null
          custom?: Json
          tags?: string[]
          birthday?: string | null
          birthday_reminder?: number | null
          middle_name?: string | null
          emails?: Json
          phones?: Json
          links?: Json
          addresses?: Json
        }
        Relationships: [
          { foreignKeyName: 'contacts_company_id_fkey'; columns: ['user_id', 'company_id']; isOneToOne: false; referencedRelation: 'companies'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      deal_contacts: {
        Row: {
          id: string
          user_id: string
          deal_id: string
          contact_id: string
          role: string | null
          position: number
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          deal_id: string
          contact_id: string
          role?: string | null
          position?: number
        }
        Update: {
          deal_id?: string
          contact_id?: string
          role?: string | null
          position?: number
        }
        Relationships: [
          { foreignKeyName: 'deal_contacts_contact_id_fkey'; columns: ['user_id', 'contact_id']; isOneToOne: false; referencedRelation: 'contacts'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'deal_contacts_deal_id_fkey'; columns: ['user_id', 'deal_id']; isOneToOne: false; referencedRelation: 'deals'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      deals: {
        Row: {
          id: string
          user_id: string
          name: string
          value: number
          expected_close_date: string | null
          pipeline_id: string | null
          stage_id: string | null
          company_id: string | null
          contact_id: string | null
          order: number
          closed_at: string | null
          lost_reason: string | null
          created_at: string
          updated_at: string
          custom: Json
          tags: string[]
          currency: string | null
          rate: number | null
          stage_since: string | null
          search_text: string
        }
        Insert: {
          id?: string
          user_id?: string
          name: string
          value?: number
          expected_close_date?: string | null
          pipeline_id?: string | null
          stage_id?: string | null
          company_id?: string | null
          contact_id?: string | null
          order?: number
          lost_reason?: string | null
          custom?: Json
          tags?: string[]
          currency?: string | null
        }
        Update: {
          name?: string
          value?: number
          expected_close_date?: string | null
          pipeline_id?: string | null
          stage_id?: string | null
          company_id?: string | null
          contact_id?: string | null
          order?: number
          lost_reason?: string | null
          custom?: Json
          tags?: string[]
          currency?: string | null
          rate?: number | null
        }
        Relationships: [
          { foreignKeyName: 'deals_company_id_fkey'; columns: ['user_id', 'company_id']; isOneToOne: false; referencedRelation: 'companies'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'deals_contact_id_fkey'; columns: ['user_id', 'contact_id']; isOneToOne: false; referencedRelation: 'contacts'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'deals_pipeline_id_fkey'; columns: ['user_id', 'pipeline_id']; isOneToOne: false; referencedRelation: 'pipelines'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'deals_stage_id_fkey'; columns: ['user_id', 'pipeline_id', 'stage_id']; isOneToOne: false; referencedRelation: 'pipeline_stages'; referencedColumns: ['user_id', 'pipeline_id', 'id'] },
        ]
      }
      email_templates: {
        Row: {
          id: string
          user_id: string
          name: string
          subject: string
          body: string
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          name: string
          subject?: string
          body?: string
        }
        Update: {
          name?: string
          subject?: string
          body?: string
        }
        Relationships: []
      }
      fields: {
        Row: {
          id: string
          user_id: string
          record: 'contacts' | 'companies' | 'deals'
          name: string
          kind: 'text' | 'long text' | 'number' | 'money' | 'day' | 'yes/no' | 'choice' | 'several choices' | 'link' | 'email' | 'phone'
          options: Json
          position: number
          is_hidden: boolean
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          record: 'contacts' | 'companies' | 'deals'
          name: string
          kind: 'text' | 'long text' | 'number' | 'money' | 'day' | 'yes/no' | 'choice' | 'several choices' | 'link' | 'email' | 'phone'
          options?: Json
          position?: number
          is_hidden?: boolean
        }
        Update: {
          name?: string
          options?: Json
          position?: number
          is_hidden?: boolean
        }
        Relationships: []
      }
      files: {
        Row: {
          id: string
          user_id: string
          name: string
          sha256: string
          size: number
          type: string
          contact_id: string | null
          company_id: string | null
          deal_id: string | null
          note_id: string | null
          created_at: string
          updated_at: string
          search_text: string
        }
        Insert: {
          id?: string
          user_id?: string
          name: string
          sha256: string
          contact_id?: string | null
          company_id?: string | null
          deal_id?: string | null
          note_id?: string | null
        }
        Update: {
          name?: string
          contact_id?: string | null
          company_id?: string | null
          deal_id?: string | null
        }
        Relationships: [
          { foreignKeyName: 'files_company_id_fkey'; columns: ['user_id', 'company_id']; isOneToOne: false; referencedRelation: 'companies'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'files_contact_id_fkey'; columns: ['user_id', 'contact_id']; isOneToOne: false; referencedRelation: 'contacts'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'files_deal_id_fkey'; columns: ['user_id', 'deal_id']; isOneToOne: false; referencedRelation: 'deals'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'files_note_id_fkey'; columns: ['user_id', 'note_id']; isOneToOne: false; referencedRelation: 'notes'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      form_submissions: {
        Row: {
          id: string
          user_id: string
          form_id: string
          status: 'waiting' | 'accepted'
          doubts: string[]
          who: string | null
          lead: Json
          key: string | null
          note_id: string | null
          seen_at: string | null
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          form_id: string
          status?: 'waiting' | 'accepted'
          doubts?: string[]
          who?: string | null
          lead?: Json
          key?: string | null
          note_id?: string | null
          seen_at?: string | null
        }
        Update: {
          form_id?: string
          status?: 'waiting' | 'accepted'
          doubts?: string[]
          who?: string | null
          lead?: Json
          key?: string | null
          note_id?: string | null
          seen_at?: string | null
        }
        Relationships: [
          { foreignKeyName: 'form_submissions_form_id_fkey'; columns: ['user_id', 'form_id']; isOneToOne: false; referencedRelation: 'forms'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'form_submissions_note_id_fkey'; columns: ['user_id', 'note_id']; isOneToOne: false; referencedRelation: 'notes'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      forms: {
        Row: {
          id: string
          user_id: string
          slug: string | null
          name: string
          title: string | null
          intro: string | null
          fields: Json
          thanks: string | null
          redirect_url: string | null
          collection_id: string | null
          tag: string | null
          pipeline_id: string | null
          task_title: string | null
          task_days: number | null
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          name: string
          title?: string | null
          intro?: string | null
          fields?: Json
          thanks?: string | null
          redirect_url?: string | null
          collection_id?: string | null
          tag?: string | null
          pipeline_id?: string | null
          task_title?: string | null
          task_days?: number | null
        }
        Update: {
          name?: string
          title?: string | null
          intro?: string | null
          fields?: Json
          thanks?: string | null
          redirect_url?: string | null
          collection_id?: string | null
          tag?: string | null
          pipeline_id?: string | null
          task_title?: string | null
          task_days?: number | null
        }
        Relationships: [
          { foreignKeyName: 'forms_collection_id_fkey'; columns: ['user_id', 'collection_id']; isOneToOne: false; referencedRelation: 'collections'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'forms_pipeline_id_fkey'; columns: ['user_id', 'pipeline_id']; isOneToOne: false; referencedRelation: 'pipelines'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      mail_accounts: {
        Row: {
          id: string
          user_id: string
          address: string
          name: string | null
          login: string | null
          imap_host: string
          imap_port: number
          imap_security: 'tls' | 'starttls'
          smtp_host: string | null
          smtp_port: number
          smtp_security: 'tls' | 'starttls'
          signature: string | null
          is_paused: boolean
          state: 'new' | 'working' | 'failed' | 'locked'
          problem: string | null
          last_read_at: string | null
          created_at: string
          updated_at: string
          pace: number | null
        }
        Insert: {
          id?: string
          user_id?: string
          address: string
          name?: string | null
          login?: string | null
          imap_host: string
          imap_port?: number
          imap_security?: 'tls' | 'starttls'
          smtp_host?: string | null
          smtp_port?: number
          smtp_security?: 'tls' | 'starttls'
          signature?: string | null
          is_paused?: boolean
          pace?: number | null
        }
        Update: {
          address?: string
          name?: string | null
          login?: string | null
          imap_host?: string
          imap_port?: number
          imap_security?: 'tls' | 'starttls'
          smtp_host?: string | null
          smtp_port?: number
          smtp_security?: 'tls' | 'starttls'
          signature?: string | null
          is_paused?: boolean
          pace?: number | null
        }
        Relationships: []
      }
      mail_exclusions: {
        Row: {
          id: string
          user_id: string
          value: string | null
          contact: string | null
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          value?: string | null
          contact?: string | null
        }
        Update: {
          value?: string | null
          contact?: string | null
        }
        Relationships: []
      }
      mails: {
        Row: {
          id: string
          user_id: string
          account_id: string | null
          message_id: string
          refs: string[]
          thread: string | null
          direction: 'in' | 'out'
          sender: string | null
          sender_name: string | null
          recipients: Json
          addresses: string[]
          subject: string | null
          snippet: string | null
          body_text: string | null
          body_html: string | null
          is_cut: boolean
          sent_at: string
          attachments: Json
          folder: string | null
          folder_validity: number | null
          uid: number | null
          is_automatic: boolean
          is_doubtful: boolean
          is_private: boolean
          deal: string | null
          created_at: string
          updated_at: string
          search_text: string
        }
        Insert: {
          id?: string
          user_id?: string
          account_id?: string | null
          message_id: string
          refs?: string[]
          thread?: string | null
          direction?: 'in' | 'out'
          sender?: string | null
          sender_name?: string | null
          recipients?: Json
          subject?: string | null
          snippet?: string | null
          body_text?: string | null
          body_html?: string | null
          is_cut?: boolean
          sent_at?: string
          attachments?: Json
          folder?: string | null
          folder_validity?: number | null
          uid?: number | null
          is_automatic?: boolean
          is_doubtful?: boolean
          is_private?: boolean
          deal?: string | null
        }
        Update: {
          account_id?: string | null
          message_id?: string
          refs?: string[]
          thread?: string | null
          direction?: 'in' | 'out'
          sender?: string | null
          sender_name?: string | null
          recipients?: Json
          subject?: string | null
          snippet?: string | null
          body_text?: string | null
          body_html?: string | null
          is_cut?: boolean
          sent_at?: string
          attachments?: Json
          folder?: string | null
          folder_validity?: number | null
          uid?: number | null
          is_automatic?: boolean
          is_doubtful?: boolean
          is_private?: boolean
          deal?: string | null
        }
        Relationships: [
          { foreignKeyName: 'mails_account_id_fkey'; columns: ['user_id', 'account_id']; isOneToOne: false; referencedRelation: 'mail_accounts'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      not_duplicates: {
        Row: {
          id: string
          user_id: string
          one_contact_id: string | null
          other_contact_id: string | null
          one_company_id: string | null
          other_company_id: string | null
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          one_contact_id?: string | null
          other_contact_id?: string | null
          one_company_id?: string | null
          other_company_id?: string | null
        }
        Update: {
          one_contact_id?: string | null
          other_contact_id?: string | null
          one_company_id?: string | null
          other_company_id?: string | null
        }
        Relationships: [
          { foreignKeyName: 'not_duplicates_one_company_id_fkey'; columns: ['user_id', 'one_company_id']; isOneToOne: false; referencedRelation: 'companies'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'not_duplicates_one_contact_id_fkey'; columns: ['user_id', 'one_contact_id']; isOneToOne: false; referencedRelation: 'contacts'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'not_duplicates_other_company_id_fkey'; columns: ['user_id', 'other_company_id']; isOneToOne: false; referencedRelation: 'companies'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'not_duplicates_other_contact_id_fkey'; columns: ['user_id', 'other_contact_id']; isOneToOne: false; referencedRelation: 'contacts'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      notes: {
        Row: {
          id: string
          user_id: string
          kind: 'note' | 'call' | 'meeting' | 'email'
          body: string | null
          outcome: string | null
          happened_at: string
          contact_id: string | null
          company_id: string | null
          deal_id: string | null
          created_at: string
          updated_at: string
          minutes: number | null
        }
        Insert: {
          id?: string
          user_id?: string
          kind?: 'note' | 'call' | 'meeting' | 'email'
          body?: string | null
          outcome?: string | null
          happened_at?: string
          contact_id?: string | null
          company_id?: string | null
          deal_id?: string | null
          minutes?: number | null
        }
        Update: {
          kind?: 'note' | 'call' | 'meeting' | 'email'
          body?: string | null
          outcome?: string | null
          happened_at?: string
          contact_id?: string | null
          company_id?: string | null
          deal_id?: string | null
          minutes?: number | null
        }
        Relationships: [
          { foreignKeyName: 'notes_company_id_fkey'; columns: ['user_id', 'company_id']; isOneToOne: false; referencedRelation: 'companies'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'notes_contact_id_fkey'; columns: ['user_id', 'contact_id']; isOneToOne: false; referencedRelation: 'contacts'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'notes_deal_id_fkey'; columns: ['user_id', 'deal_id']; isOneToOne: false; referencedRelation: 'deals'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      pipeline_stages: {
        Row: {
          id: string
          user_id: string
          pipeline_id: string
          name: string
          order: number
          win_probability: number
          created_at: string
          updated_at: string
          outcome: 'open' | 'won' | 'lost'
        }
        Insert: {
          id?: string
          user_id?: string
          pipeline_id: string
          name: string
          order?: number
          win_probability?: number
        }
        Update: {
          pipeline_id?: string
          name?: string
          order?: number
          win_probability?: number
        }
        Relationships: [
          { foreignKeyName: 'pipeline_stages_pipeline_id_fkey'; columns: ['user_id', 'pipeline_id']; isOneToOne: false; referencedRelation: 'pipelines'; referencedColumns: ['user_id', 'id'] },
        ]
      }
      pipelines: {
        Row: {
          id: string
          user_id: string
          name: string
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          name: string
        }
        Update: {
          name?: string
        }
        Relationships: []
      }
      preferences: {
        Row: {
          user_id: string
          display_name: string | null
          time_zone: string | null
          theme: 'light' | 'dark' | 'system'
          week_starts_on: number
          created_at: string
          updated_at: string
          currency: string
          rates: Json
          number_format: '1,234.56' | '1.234,56' | '1 234,56' | '1’234.56' | '12,34,567.89'
          date_format: 'month day, year' | 'day month year' | 'yyyy-mm-dd' | 'dd.mm.yyyy' | 'dd/mm/yyyy' | 'mm/dd/yyyy'
          clock: number
          lost_reasons: string[]
          monthly_goal: number | null
          pinned: string[]
          opened: string[]
          screens: Json
        }
        Insert: {
          user_id?: string
          display_name?: string | null
          time_zone?: string | null
          theme?: 'light' | 'dark' | 'system'
          week_starts_on?: number
          rates?: Json
          number_format?: '1,234.56' | '1.234,56' | '1 234,56' | '1’234.56' | '12,34,567.89'
          date_format?: 'month day, year' | 'day month year' | 'yyyy-mm-dd' | 'dd.mm.yyyy' | 'dd/mm/yyyy' | 'mm/dd/yyyy'
          clock?: number
          lost_reasons?: string[]
          monthly_goal?: number | null
          pinned?: string[]
          opened?: string[]
          screens?: Json
        }
        Update: {
          display_name?: string | null
          time_zone?: string | null
          theme?: 'light' | 'dark' | 'system'
          week_starts_on?: number
          rates?: Json
          number_format?: '1,234.56' | '1.234,56' | '1 234,56' | '1’234.56' | '12,34,567.89'
          date_format?: 'month day, year' | 'day month year' | 'yyyy-mm-dd' | 'dd.mm.yyyy' | 'dd/mm/yyyy' | 'mm/dd/yyyy'
          clock?: number
          lost_reasons?: string[]
          monthly_goal?: number | null
          pinned?: string[]
          opened?: string[]
          screens?: Json
        }
        Relationships: []
      }
      saved_views: {
        Row: {
          id: string
          user_id: string
          screen: 'contacts' | 'companies' | 'deals' | 'tasks'
          name: string
          query: string
          created_at: string
          updated_at: string
        }
        Insert: {
          id?: string
          user_id?: string
          screen: 'contacts' | 'companies' | 'deals' | 'tasks'
          name: string
          query?: string
        }
        Update: {
          screen?: 'contacts' | 'companies' | 'deals' | 'tasks'
          name?: string
          query?: string
        }
        Relationships: []
      }
      tasks: {
        Row: {
          id: string
          user_id: string
          title: string
          description: string | null
          priority: 'low' | 'medium' | 'high' | 'urgent'
          due_date: string | null
          completed: boolean
          completed_at: string | null
          deal_id: string | null
          contact_id: string | null
          company_id: string | null
          created_at: string
          updated_at: string
          repeat: 'daily' | 'weekly' | 'monthly' | 'yearly' | 'after' | null
          repeat_days: number[] | null
          repeat_every: number | null
          repeat_start: string | null
          repeated_from: string | null
          due_all_day: boolean
          birthday_on: string | null
          search_text: string
        }
        Insert: {
          id?: string
          user_id?: string
          title: string
          description?: string | null
          priority?: 'low' | 'medium' | 'high' | 'urgent'
          due_date?: string | null
          completed?: boolean
          deal_id?: string | null
          contact_id?: string | null
          company_id?: string | null
          repeat?: 'daily' | 'weekly' | 'monthly' | 'yearly' | 'after' | null
          repeat_days?: number[] | null
          repeat_every?: number | null
          repeat_start?: string | null
          due_all_day?: boolean
        }
        Update: {
          title?: string
          description?: string | null
          priority?: 'low' | 'medium' | 'high' | 'urgent'
          due_date?: string | null
          completed?: boolean
          deal_id?: string | null
          contact_id?: string | null
          company_id?: string | null
          repeat?: 'daily' | 'weekly' | 'monthly' | 'yearly' | 'after' | null
          repeat_days?: number[] | null
          repeat_every?: number | null
          repeat_start?: string | null
          due_all_day?: boolean
        }
        Relationships: [
          { foreignKeyName: 'tasks_company_id_fkey'; columns: ['user_id', 'company_id']; isOneToOne: false; referencedRelation: 'companies'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'tasks_contact_id_fkey'; columns: ['user_id', 'contact_id']; isOneToOne: false; referencedRelation: 'contacts'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'tasks_deal_id_fkey'; columns: ['user_id', 'deal_id']; isOneToOne: false; referencedRelation: 'deals'; referencedColumns: ['user_id', 'id'] },
          { foreignKeyName: 'tasks_repeated_from_fkey'; columns: ['user_id', 'repeated_from']; isOneToOne: false; referencedRelation: 'tasks'; referencedColumns: ['user_id', 'id'] },
        ]
      }
    }
    Views: {
      collection_counts: {
        Row: {
          id: string | null
          name: string | null
          created_at: string | null
          contacts: number | null
        }
        Insert: { [_ in never]: never }
        Update: { [_ in never]: never }
        Relationships: []
      }
    }
    Functions: {
      accept_submission: {
        Args: { id: string | null }
        Returns: Json
      }
      access_tokens: {
        Args: never
        Returns: Json
      }
      account_sessions: {
        Args: never
        Returns: Json
      }
      add_file: {
        Args: { id: string | null; sha256: string | null; name: string | null; contact?: string | null; company?: string | null; deal?: string | null; note?: string | null }
        Returns: Json
      }
      add_import_rows: {
        Args: { id: string | null; rows: Json | null }
        Returns: number
      }
      add_restore_rows: {
        Args: { restore: string | null; kind: string | null; part: number | null; lines: string | null }
        Returns: undefined
      }
      add_to_collection: {
        Args: { filter: Json | null; collection_id: string | null }
        Returns: Json
      }
      add_upload_part: {
        Args: { sha256: string | null; part: number | null; bytes: string | null }
        Returns: undefined
      }
      agenda_setting: {
        Args: never
        Returns: Json
      }
      backup_contents: {
        Args: { after?: string | null }
        Returns: Json
      }
      backup_counts: {
        Args: never
        Returns: Json
      }
      backup_page: {
        Args: { kind: string | null; after?: string | null }
        Returns: Json
      }
      cancel_import: {
        Args: { id: string | null }
        Returns: undefined
      }
      change_currency: {
        Args: { currency: string | null; keep: boolean | null; rate?: number | null }
        Returns: Json
      }
      change_webhook: {
        Args: { id: string | null; url: string | null; events: string[] | null }
        Returns: undefined
      }
      check_import: {
        Args: { id: string | null }
        Returns: Json
      }
      close_deals: {
        Args: { filter: Json | null; outcome: string | null; reason?: string | null }
        Returns: Json
      }
      commit_import: {
        Args: { id: string | null; duplicates?: string | null }
        Returns: Json
      }
      company_count: {
        Args: { filter?: Json | null }
        Returns: number
      }
      company_facets: {
        Args: never
        Returns: Json
      }
      company_neighbours: {
        Args: { id: string | null; filter?: Json | null; sort?: string | null; descending?: boolean | null }
        Returns: Json
      }
      company_page: {
        Args: { filter?: Json | null; sort?: string | null; descending?: boolean | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      company_record: {
        Args: { id: string | null }
        Returns: Json
      }
      compare_periods: {
        Args: { first_day: string | null; last_day: string | null; before_first: string | null; before_last: string | null; filter?: Json | null; time_zone?: string | null }
        Returns: Json
      }
      complete_with_next_step: {
        Args: { id: string | null; next_step: Json | null }
        Returns: Json
      }
      contact_count: {
        Args: { filter?: Json | null }
        Returns: number
      }
      contact_neighbours: {
        Args: { id: string | null; filter?: Json | null; sort?: string | null; descending?: boolean | null }
        Returns: Json
      }
      contact_page: {
        Args: { filter?: Json | null; sort?: string | null; descending?: boolean | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      contact_record: {
        Args: { id: string | null }
        Returns: Json
      }
      contacts_behind: {
        Args: { record: string | null; filter: Json | null }
        Returns: Json
      }
      conversation: {
        Args: { thread: string | null }
        Returns: Json
      }
      conversations: {
        Args: { record: string | null; id: string | null; before?: string | null; page_size?: number | null }
        Returns: Json
      }
      create_access_token: {
        Args: { name: string | null; scope: string | null; expires_at?: string | null }
        Returns: Json
      }
      create_calendar_feed: {
        Args: { replacing?: string | null }
        Returns: Database['public']['Tables']['calendar_feeds']['Row']
      }
      create_card_feed: {
        Args: { replacing?: string | null }
        Returns: Database['public']['Tables']['card_feeds']['Row']
      }
      create_collection: {
        Args: { name: string | null; filter: Json | null }
        Returns: Json
      }
      create_pipeline: {
        Args: { name: string | null }
        Returns: Database['public']['Tables']['pipelines']['Row']
      }
      create_webhook: {
        Args: { url: string | null; events: string[] | null }
        Returns: Json
      }
      dashboard: {
        Args: { at?: string | null; time_zone?: string | null }
        Returns: Json
      }
      deal_board: {
        Args: { pipeline: string | null; filter?: Json | null; page_size?: number | null; loaded?: Json | null }
        Returns: Json
      }
      deal_column: {
        Args: { pipeline: string | null; stage: string | null; filter?: Json | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      deal_neighbours: {
        Args: { id: string | null; filter?: Json | null; sort?: string | null; descending?: boolean | null }
        Returns: Json
      }
      deal_page: {
        Args: { filter?: Json | null; sort?: string | null; descending?: boolean | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      deal_record: {
        Args: { id: string | null }
        Returns: Json
      }
      deal_totals: {
        Args: { filter?: Json | null }
        Returns: Json
      }
      decide_proposals: {
        Args: { ids: string[] | null; approve: boolean | null }
        Returns: Json
      }
      decline_suggestion: {
        Args: { address: string | null }
        Returns: undefined
      }
      delete_account: {
        Args: { address: string | null }
        Returns: undefined
      }
      delete_companies: {
        Args: { filter: Json | null }
        Returns: Json
      }
      delete_contacts: {
        Args: { filter: Json | null }
        Returns: Json
      }
      delete_deals: {
        Args: { filter: Json | null }
        Returns: Json
      }
      delete_field: {
        Args: { id: string | null }
        Returns: Json
      }
      delete_pipeline: {
        Args: { id: string | null; move_to?: string | null }
        Returns: Json
      }
      delete_submissions: {
        Args: { ids: string[] | null }
        Returns: Json
      }
      delete_tag: {
        Args: { tag: string | null }
        Returns: Json
      }
      delete_tasks: {
        Args: { filter: Json | null }
        Returns: Json
      }
      delete_webhook: {
        Args: { id: string | null }
        Returns: undefined
      }
      device_changes: {
        Args: { since: Json | null }
        Returns: Json
      }
      device_contacts: {
        Args: { after?: string | null; page_size?: number | null }
        Returns: Json
      }
      device_deals: {
        Args: { after?: string | null; page_size?: number | null }
        Returns: Json
      }
      duplicate_counts: {
        Args: never
        Returns: Json
      }
      duplicate_page: {
        Args: { kind: string | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      end_sessions: {
        Args: { ids: string[] | null }
        Returns: number
      }
      field_counts: {
        Args: { record: string | null }
        Returns: Json
      }
      field_option_counts: {
        Args: { id: string | null }
        Returns: Json
      }
      file_part: {
        Args: { sha256: string | null; part: number | null }
        Returns: string
      }
      file_space: {
        Args: never
        Returns: Json
      }
      finish_restore: {
        Args: { restore: string | null }
        Returns: Json
      }
      finish_upload: {
        Args: { sha256: string | null }
        Returns: boolean
      }
      forget_mails: {
        Args: { ids: string[] | null }
        Returns: number
      }
      forget_run: {
        Args: { run: string | null }
        Returns: number
      }
      form_counts: {
        Args: never
        Returns: Json
      }
      goal_progress: {
        Args: { at?: string | null; time_zone?: string | null }
        Returns: Json
      }
      history_page: {
        Args: { filter?: Json | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      hold_mails: {
        Args: { ids: string[] | null; holds?: boolean | null }
        Returns: Json
      }
      import_list: {
        Args: never
        Returns: Json
      }
      import_page: {
        Args: { id: string | null; found: string[] | null; after?: number | null; page_size?: number | null; duplicates?: string | null }
        Returns: Json
      }
      import_state: {
        Args: { id: string | null }
        Returns: Json
      }
      kept_records: {
        Args: never
        Returns: Json
      }
      load_sample_data: {
        Args: { time_zone?: string | null }
        Returns: Json
      }
      log_emails: {
        Args: { filter: Json | null; subject: string | null }
        Returns: Json
      }
      log_with_next_step: {
        Args: { note: Json | null; next_step: Json | null }
        Returns: Json
      }
      mail_left_out: {
        Args: never
        Returns: Json
      }
      mail_suggestions: {
        Args: never
        Returns: Json
      }
      make_mails_private: {
        Args: { ids: string[] | null }
        Returns: number
      }
      mark_not_duplicates: {
        Args: { kind: string | null; ids: string[] | null }
        Returns: Json
      }
      merge_candidates: {
        Args: { kind: string | null; ids: string[] | null }
        Returns: Json
      }
      merge_companies: {
        Args: { keep: string | null; seen: Json | null; changes?: Json | null; note?: string | null }
        Returns: Json
      }
      merge_contacts: {
        Args: { keep: string | null; seen: Json | null; changes?: Json | null }
        Returns: Json
      }
      move_birthdays: {
        Args: never
        Returns: number
      }
      move_deal: {
        Args: { id: string | null; stage_id: string | null; before_id?: string | null; after_id?: string | null }
        Returns: Database['public']['Tables']['deals']['Row']
      }
      new_leads: {
        Args: never
        Returns: Json
      }
      newest_change: {
        Args: never
        Returns: Json
      }
      not_duplicate_pairs: {
        Args: { kind: string | null }
        Returns: Json
      }
      note_opened: {
        Args: { kind: string | null; id: string | null }
        Returns: Json
      }
      order_fields: {
        Args: { ids: string[] | null }
        Returns: Json
      }
      outbox: {
        Args: { before?: string | null; page_size?: number | null }
        Returns: Json
      }
      outgoing_mail: {
        Args: { id: string | null }
        Returns: Json
      }
      pause_webhook: {
        Args: { id: string | null; pause: boolean | null }
        Returns: undefined
      }
      people_of_deals: {
        Args: { ids: string[] | null }
        Returns: Json
      }
      pin_record: {
        Args: { kind: string | null; id: string | null; is_pinned: boolean | null }
        Returns: Json
      }
      pipeline_list: {
        Args: never
        Returns: Json
      }
      plan_mails: {
        Args: { mails: Json | null; replaces?: string[] | null }
        Returns: Json
      }
      proposal: {
        Args: { id: string | null }
        Returns: Json
      }
      proposals: {
        Args: never
        Returns: Json
      }
      quick_add: {
        Args: { line: Json | null; batch: string | null }
        Returns: Json
      }
      quick_add_preview: {
        Args: { line: Json | null }
        Returns: Json
      }
      record_conversations: {
        Args: { record: string | null; id: string | null; before?: string | null; page_size?: number | null }
        Returns: Json
      }
      record_files: {
        Args: { record: string | null; id: string | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      record_timeline: {
        Args: { record: string | null; id: string | null; before?: string | null; before_key?: string | null; page_size?: number | null; kind?: string | null }
        Returns: Json
      }
      remember_screen: {
        Args: { account: string | null; screen: string | null; query?: string | null; widths?: Json | null }
        Returns: undefined
      }
      remove_access_token: {
        Args: { id: string | null }
        Returns: undefined
      }
      remove_deal_contact: {
        Args: { deal: string | null; contact: string | null }
        Returns: Json
      }
      remove_for_good: {
        Args: { filter: Json | null }
        Returns: Json
      }
      remove_from_collection: {
        Args: { filter: Json | null; collection_id: string | null }
        Returns: Json
      }
      remove_mail_account: {
        Args: { id: string | null; with_mails: boolean | null }
        Returns: number
      }
      remove_sample_data: {
        Args: never
        Returns: Json
      }
      rename_tag: {
        Args: { tag: string | null; name: string | null }
        Returns: Json
      }
      renew_webhook_secret: {
        Args: { id: string | null }
        Returns: Json
      }
      replies_waiting: {
        Args: never
        Returns: Json
      }
      report: {
        Args: { day?: string | null; filter?: Json | null; at?: string | null; time_zone?: string | null; week_start?: number | null }
        Returns: Json
      }
      restore_deleted: {
        Args: { batch: string | null; ids?: string[] | null }
        Returns: Json
      }
      retry_mails: {
        Args: { ids: string[] | null }
        Returns: Json
      }
      retry_run: {
        Args: { run: string | null; state: string | null }
        Returns: Json
      }
      revoke_access_tokens: {
        Args: { ids?: string[] | null }
        Returns: number
      }
      revoke_calendar_feed: {
        Args: never
        Returns: undefined
      }
      revoke_card_feed: {
        Args: never
        Returns: undefined
      }
      save_deal: {
        Args: { deal: string | null; changes: Json | null; people?: Json | null; is_new?: boolean | null; seen?: string | null }
        Returns: Json
      }
      save_stages: {
        Args: { pipeline: string | null; stages: Json | null; moves?: Json | null }
        Returns: Json
      }
      search_everything: {
        Args: { words?: string | null }
        Returns: Json
      }
      see_leads: {
        Args: { ids?: string[] | null }
        Returns: undefined
      }
      send_webhook_again: {
        Args: { delivery: string | null }
        Returns: undefined
      }
      set_agenda: {
        Args: { hour?: number | null }
        Returns: Json
      }
      set_deal_contact: {
        Args: { deal: string | null; contact: string | null; role?: string | null; is_main?: boolean | null }
        Returns: Json
      }
      set_rate: {
        Args: { currency: string | null; rate: number | null }
        Returns: Json
      }
      set_thread_deal: {
        Args: { thread: string | null; deal: string | null }
        Returns: number
      }
      similar_records: {
        Args: { kind: string | null; reported: Json | null }
        Returns: Json
      }
      start_import: {
        Args: { id: string | null; kind: string | null; file_name: string | null; total: number | null; fields?: Json | null }
        Returns: Json
      }
      start_restore: {
        Args: { id: string | null; version: number | null; tables: Json | null; account?: string | null; about?: string | null }
        Returns: undefined
      }
      start_upload: {
        Args: { sha256: string | null; size: number | null }
        Returns: Json
      }
      stop_mails: {
        Args: { ids: string[] | null }
        Returns: Json
      }
      stop_run: {
        Args: { run: string | null }
        Returns: Json
      }
      tag_counts: {
        Args: never
        Returns: Json
      }
      task_count: {
        Args: { filter?: Json | null }
        Returns: number
      }
      task_counts: {
        Args: { at?: string | null; time_zone?: string | null }
        Returns: Json
      }
      task_page: {
        Args: { filter?: Json | null; sort?: string | null; descending?: boolean | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      task_tab_counts: {
        Args: { filter?: Json | null }
        Returns: Json
      }
      test_webhook: {
        Args: { id: string | null }
        Returns: Json
      }
      trash_count: {
        Args: { filter?: Json | null }
        Returns: number
      }
      trash_page: {
        Args: { filter?: Json | null; after?: Json | null; page_size?: number | null }
        Returns: Json
      }
      undo_batch: {
        Args: { batch: string | null; conflicts?: string | null }
        Returns: Json
      }
      update_companies: {
        Args: { filter: Json | null; changes: Json | null }
        Returns: Json
      }
      update_contacts: {
        Args: { filter: Json | null; changes: Json | null }
        Returns: Json
      }
      update_deals: {
        Args: { filter: Json | null; changes: Json | null }
        Returns: Json
      }
      update_tasks: {
        Args: { filter: Json | null; changes: Json | null }
        Returns: Json
      }
      waiting_counts: {
        Args: never
        Returns: Json
      }
      webhook_deliveries: {
        Args: { webhook: string | null; before?: string | null }
        Returns: Json
      }
      webhooks: {
        Args: never
        Returns: Json
      }
      week_review: {
        Args: { day?: string | null; at?: string | null; time_zone?: string | null; week_start?: number | null }
        Returns: Json
      }
      write_once: {
        Args: { batch: string | null; action: string | null; args: Json | null }
        Returns: Json
      }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
