-- Sets change event streaming up: database shop, Azure SQL Database.
-- Run it connected to that database: sqlcmd -b -d <database> -i <this file>
-- Every step checks what it did and ends in an error otherwise. It can be run again: what is done stays as it is.
-- CES sends no row that is there already, and has no statement that would: ops sql --seed makes one.
-- The hub must have a public endpoint that the server reaches on port 9093, and be of Standard tier or higher.

-- 1. Check the server and the database
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
IF OBJECT_ID(N'sys.sp_create_event_stream_group') IS NULL
    THROW 51000, N'this server has no change event streaming: it must be Azure SQL Database', 1;
IF HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'CONTROL') = 0
    THROW 51000, N'connect as a member of db_owner, or with CONTROL on the database', 1;
IF EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND (is_cdc_enabled = 1 OR is_published = 1))
    THROW 51000, N'CES does not work beside change data capture or transactional replication; turn that off first', 1;
GO

-- 2. Check dbo.Orders
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
DECLARE @table int = OBJECT_ID(N'[dbo].[Orders]', N'U');
IF @table IS NULL
    THROW 51000, N'there is no table dbo.Orders', 1;
IF NOT EXISTS (SELECT * FROM sys.indexes WHERE object_id = @table AND is_primary_key = 1)
    THROW 51000, N'dbo.Orders has no primary key, without which it cannot be replicated; none can be added while it is streamed', 1;
IF EXISTS (SELECT * FROM sys.tables WHERE object_id = @table
    AND (is_external = 1 OR is_memory_optimized = 1 OR is_node = 1 OR is_edge = 1 OR temporal_type = 1 OR ledger_type = 1))
    THROW 51000, N'CES does not stream dbo.Orders: it is an external, memory-optimized or graph table, or one of history', 1;
IF EXISTS (SELECT * FROM sys.indexes WHERE object_id = @table AND type = 5)
    THROW 51000, N'CES does not stream dbo.Orders: it has a clustered columnstore index', 1;
IF EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND encryption_type IS NOT NULL)
    THROW 51000, N'CES does not stream dbo.Orders: it has columns with Always Encrypted', 1;
DECLARE @skipped nvarchar(max) = (SELECT STRING_AGG(CAST(name AS nvarchar(max)), N', ') FROM sys.columns
    WHERE object_id = @table AND (TYPE_NAME(user_type_id) IN (N'geography', N'geometry', N'image', N'json', N'ntext', N'sql_variant', N'text', N'timestamp', N'vector', N'xml') OR TYPE_NAME(system_type_id) IN (N'geography', N'geometry', N'image', N'json', N'ntext', N'sql_variant', N'text', N'timestamp', N'vector', N'xml')
        OR user_type_id IN (SELECT user_type_id FROM sys.types WHERE is_assembly_type = 1 AND is_user_defined = 1)));
IF @skipped IS NOT NULL
    PRINT CONCAT(N'CES leaves these columns of dbo.Orders out: ', @skipped);
GO

-- 3. Check [sales 2026].[it's ]]new]
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
DECLARE @table int = OBJECT_ID(N'[sales 2026].[it''s ]]new]', N'U');
IF @table IS NULL
    THROW 51000, N'there is no table [sales 2026].[it''s ]]new]', 1;
IF NOT EXISTS (SELECT * FROM sys.indexes WHERE object_id = @table AND is_primary_key = 1)
    THROW 51000, N'[sales 2026].[it''s ]]new] has no primary key, without which it cannot be replicated; none can be added while it is streamed', 1;
IF EXISTS (SELECT * FROM sys.tables WHERE object_id = @table
    AND (is_external = 1 OR is_memory_optimized = 1 OR is_node = 1 OR is_edge = 1 OR temporal_type = 1 OR ledger_type = 1))
    THROW 51000, N'CES does not stream [sales 2026].[it''s ]]new]: it is an external, memory-optimized or graph table, or one of history', 1;
IF EXISTS (SELECT * FROM sys.indexes WHERE object_id = @table AND type = 5)
    THROW 51000, N'CES does not stream [sales 2026].[it''s ]]new]: it has a clustered columnstore index', 1;
IF EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND encryption_type IS NOT NULL)
    THROW 51000, N'CES does not stream [sales 2026].[it''s ]]new]: it has columns with Always Encrypted', 1;
DECLARE @skipped nvarchar(max) = (SELECT STRING_AGG(CAST(name AS nvarchar(max)), N', ') FROM sys.columns
    WHERE object_id = @table AND (TYPE_NAME(user_type_id) IN (N'geography', N'geometry', N'image', N'json', N'ntext', N'sql_variant', N'text', N'timestamp', N'vector', N'xml') OR TYPE_NAME(system_type_id) IN (N'geography', N'geometry', N'image', N'json', N'ntext', N'sql_variant', N'text', N'timestamp', N'vector', N'xml')
        OR user_type_id IN (SELECT user_type_id FROM sys.types WHERE is_assembly_type = 1 AND is_user_defined = 1)));
IF @skipped IS NOT NULL
    PRINT CONCAT(N'CES leaves these columns of [sales 2026].[it''s ]]new] out: ', @skipped);
GO

-- 4. Create the master key of the database
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
-- The password is random and not kept: this server opens the key without it. For a database that moves to another
-- server (a restore, a failover), add one that you know: ALTER MASTER KEY ADD ENCRYPTION BY PASSWORD = '...'.
IF NOT EXISTS (SELECT * FROM sys.symmetric_keys WHERE name = N'##MS_DatabaseMasterKey##')
BEGIN
    DECLARE @password nvarchar(128) = CONCAT(N'aA1!', CONVERT(nvarchar(100), CRYPT_GEN_RANDOM(32), 2));
    DECLARE @sql nvarchar(max) = CONCAT(N'CREATE MASTER KEY ENCRYPTION BY PASSWORD = N''', @password, N''';');
    EXEC sys.sp_executesql @sql;
END;
IF NOT EXISTS (SELECT * FROM sys.symmetric_keys WHERE name = N'##MS_DatabaseMasterKey##')
    THROW 51000, N'the master key was not created', 1;
GO

-- 5. Create the credential for the event hub
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
-- The sender is the identity of the logical server.
-- It needs the role Azure Event Hubs Data Sender on the event hub ces.
IF NOT EXISTS (SELECT * FROM sys.database_scoped_credentials WHERE name = N'ces-replica')
    CREATE DATABASE SCOPED CREDENTIAL [ces-replica] WITH IDENTITY = N'Managed Identity';
IF NOT EXISTS (SELECT * FROM sys.database_scoped_credentials WHERE name = N'ces-replica' AND credential_identity = N'Managed Identity')
    THROW 51000, N'there is another credential of the name ces-replica; choose a name with --credential', 1;
GO

-- 6. Enable change event streaming
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
DECLARE @failed int = 0;
IF NOT EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
    EXEC @failed = sys.sp_enable_event_stream;
IF @failed <> 0 OR NOT EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
    THROW 51000, N'change event streaming could not be enabled; see the error above', 1;
GO

-- 7. Create the stream group ces-replica
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
IF NOT EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
    THROW 51000, N'change event streaming is not enabled in this database', 1;
DECLARE @location nvarchar(4000), @streamed nvarchar(4000), @columns nvarchar(max), @width int, @sql nvarchar(max);
SELECT @columns = N'c1 nvarchar(4000), c2 nvarchar(4000), c3 nvarchar(4000), c4 nvarchar(4000), c5 nvarchar(4000), c6 nvarchar(4000), c7 nvarchar(4000), c8 nvarchar(4000)', @width = 8;
WHILE 1 = 1
BEGIN
    SET @sql = CAST(N'' AS nvarchar(max))
        + N'DECLARE @read TABLE ('
        + @columns
        + N'); INSERT @read EXEC sys.sp_help_change_feed_table_groups; SET @result = (SELECT MAX(c3) FROM @read WHERE c2 = N''ces-replica'');';
    BEGIN TRY
        EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @location OUTPUT;
        BREAK;
    END TRY
    BEGIN CATCH
        -- 213: another number of columns
        IF ERROR_NUMBER() <> 213 OR @width = 40
            THROW;
        SET @width += 1;
        SET @columns += CONCAT(N', c', @width, N' nvarchar(4000)');
    END CATCH;
END;
IF @location <> N'shop.servicebus.windows.net:9093/ces'
    THROW 51000, N'the group ces-replica exists and sends somewhere else; drop it (--disable), or choose a name with --group', 1;
-- Table: changes of a row, and the segments of a large one, come together and in order, so that a row changed often
-- costs one write in a batch and nothing is parked. A table then has the throughput of one partition: where that is
-- too little, put it into a group of its own with None, or Column.
IF @location IS NULL
BEGIN
    DECLARE @failed int;
    EXEC @failed = sys.sp_create_event_stream_group
        @stream_group_name = N'ces-replica',
        @destination_type = N'AzureEventHubs',
        @destination_location = N'shop.servicebus.windows.net:9093/ces',
        @destination_credential = N'ces-replica',
        @max_message_size_kb = 256,
        @partition_key_scheme = N'Table',
        @encoding = N'JSON';
    IF @failed <> 0
        THROW 51000, N'the group ces-replica could not be created; see the error above', 1;
    EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @location OUTPUT;
END;
IF @location IS NULL
    THROW 51000, N'the group ces-replica was not created', 1;
GO

-- 8. Add dbo.Orders
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
IF NOT EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
    THROW 51000, N'change event streaming is not enabled in this database', 1;
DECLARE @location nvarchar(4000), @streamed nvarchar(4000), @columns nvarchar(max), @width int, @sql nvarchar(max);
SELECT @columns = N'c1 nvarchar(4000), c2 nvarchar(4000), c3 nvarchar(4000), c4 nvarchar(4000), c5 nvarchar(4000), c6 nvarchar(4000), c7 nvarchar(4000), c8 nvarchar(4000)', @width = 8;
WHILE 1 = 1
BEGIN
    SET @sql = CAST(N'' AS nvarchar(max))
        + N'DECLARE @read TABLE ('
        + @columns
        + N'); INSERT @read EXEC sys.sp_help_change_feed_table @source_schema = N''dbo'', @source_name = N''Orders''; SET @result = (SELECT COUNT(*) FROM @read WHERE c2 = N''ces-replica'' AND CASE WHEN c7 LIKE N''[0-9]'' THEN c7 ELSE c8 END NOT IN (N''5'', N''6''));';
    BEGIN TRY
        EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @streamed OUTPUT;
        BREAK;
    END TRY
    BEGIN CATCH
        -- 213: another number of columns
        IF ERROR_NUMBER() <> 213 OR @width = 40
            THROW;
        SET @width += 1;
        SET @columns += CONCAT(N', c', @width, N' nvarchar(4000)');
    END CATCH;
END;
IF @streamed = N'0'
BEGIN
    DECLARE @failed int;
    EXEC @failed = sys.sp_add_object_to_event_stream_group
        @stream_group_name = N'ces-replica',
        @object_name = N'dbo.Orders',
        @include_all_columns = 1,
        @include_old_values = 1,
        @include_old_lob_values = 0;
    IF @failed <> 0
        THROW 51000, N'dbo.Orders could not be added; see the error above. A table can be in one group only', 1;
    EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @streamed OUTPUT;
END;
IF @streamed = N'0'
    THROW 51000, N'dbo.Orders was not added to the group ces-replica', 1;
GO

-- 9. Add [sales 2026].[it's ]]new]
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
IF NOT EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
    THROW 51000, N'change event streaming is not enabled in this database', 1;
DECLARE @location nvarchar(4000), @streamed nvarchar(4000), @columns nvarchar(max), @width int, @sql nvarchar(max);
SELECT @columns = N'c1 nvarchar(4000), c2 nvarchar(4000), c3 nvarchar(4000), c4 nvarchar(4000), c5 nvarchar(4000), c6 nvarchar(4000), c7 nvarchar(4000), c8 nvarchar(4000)', @width = 8;
WHILE 1 = 1
BEGIN
    SET @sql = CAST(N'' AS nvarchar(max))
        + N'DECLARE @read TABLE ('
        + @columns
        + N'); INSERT @read EXEC sys.sp_help_change_feed_table @source_schema = N''sales 2026'', @source_name = N''it''''s ]new''; SET @result = (SELECT COUNT(*) FROM @read WHERE c2 = N''ces-replica'' AND CASE WHEN c7 LIKE N''[0-9]'' THEN c7 ELSE c8 END NOT IN (N''5'', N''6''));';
    BEGIN TRY
        EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @streamed OUTPUT;
        BREAK;
    END TRY
    BEGIN CATCH
        -- 213: another number of columns
        IF ERROR_NUMBER() <> 213 OR @width = 40
            THROW;
        SET @width += 1;
        SET @columns += CONCAT(N', c', @width, N' nvarchar(4000)');
    END CATCH;
END;
IF @streamed = N'0'
BEGIN
    DECLARE @failed int;
    EXEC @failed = sys.sp_add_object_to_event_stream_group
        @stream_group_name = N'ces-replica',
        @object_name = N'[sales 2026].[it''s ]]new]',
        @include_all_columns = 1,
        @include_old_values = 1,
        @include_old_lob_values = 0;
    IF @failed <> 0
        THROW 51000, N'[sales 2026].[it''s ]]new] could not be added; see the error above. A table can be in one group only', 1;
    EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @streamed OUTPUT;
END;
IF @streamed = N'0'
    THROW 51000, N'[sales 2026].[it''s ]]new] was not added to the group ces-replica', 1;
GO

-- 10. Verify
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
-- Enabled, and why the log cannot be truncated: REPLICATION for long means that CES does not get on.
SELECT name, is_event_stream_enabled, recovery_model_desc, log_reuse_wait_desc
FROM sys.databases WHERE database_id = DB_ID();
-- The group with its destination, and its tables: state 4 is active.
EXEC sys.sp_help_change_feed_table_groups;
EXEC sys.sp_help_change_feed_table @source_schema = N'dbo', @source_name = N'Orders';
EXEC sys.sp_help_change_feed_table @source_schema = N'sales 2026', @source_name = N'it''s ]new';
EXEC sys.sp_help_change_feed_settings;
-- After the first change of a row: sessions that read the log, and errors in delivering, which should be none.
SELECT session_id, start_time, end_time, batch_processing_phase, error_count, tran_count, command_count, latency
FROM sys.dm_change_feed_log_scan_sessions ORDER BY start_time DESC;
SELECT TOP (20) entry_time, error_number, error_message, table_id, source_task
FROM sys.dm_change_feed_errors ORDER BY entry_time DESC;
GO
