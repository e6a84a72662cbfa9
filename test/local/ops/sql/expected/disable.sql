-- Turns change event streaming off: database shop, Azure SQL Database.
-- Run it connected to that database: sqlcmd -b -d <database> -i <this file>
-- Every step checks what it did and ends in an error otherwise. It can be run again: what is done stays as it is.

-- 1. See what is not sent yet
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
-- What is in the log and not sent yet when a table is taken out is never sent. Stop writing to the tables, and go on
-- when the latest sessions have ended and found nothing (tran_count 0).
SELECT TOP (5) session_id, start_time, end_time, batch_processing_phase, tran_count, command_count, latency
FROM sys.dm_change_feed_log_scan_sessions ORDER BY start_time DESC;
GO

-- 2. Take dbo.Orders out
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
IF EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
BEGIN
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
    IF @streamed <> N'0'
    BEGIN
        DECLARE @failed int;
        EXEC @failed = sys.sp_remove_object_from_event_stream_group
            @stream_group_name = N'ces-replica',
            @object_name = N'dbo.Orders';
        IF @failed <> 0
            THROW 51000, N'dbo.Orders could not be taken out; see the error above', 1;
        EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @streamed OUTPUT;
        IF @streamed <> N'0'
            THROW 51000, N'dbo.Orders is still in the group ces-replica', 1;
    END;
END;
GO

-- 3. Take [sales 2026].[it's ]]new] out
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
IF EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
BEGIN
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
    IF @streamed <> N'0'
    BEGIN
        DECLARE @failed int;
        EXEC @failed = sys.sp_remove_object_from_event_stream_group
            @stream_group_name = N'ces-replica',
            @object_name = N'[sales 2026].[it''s ]]new]';
        IF @failed <> 0
            THROW 51000, N'[sales 2026].[it''s ]]new] could not be taken out; see the error above', 1;
        EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @streamed OUTPUT;
        IF @streamed <> N'0'
            THROW 51000, N'[sales 2026].[it''s ]]new] is still in the group ces-replica', 1;
    END;
END;
GO

-- 4. Drop the stream group ces-replica
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
IF EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
BEGIN
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
    IF @location IS NOT NULL
    BEGIN
        -- Fails while tables are in it that were not named.
        DECLARE @failed int;
        EXEC @failed = sys.sp_drop_event_stream_group @stream_group_name = N'ces-replica';
        IF @failed <> 0
            THROW 51000, N'the group ces-replica could not be dropped; see the error above', 1;
        EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @location OUTPUT;
        IF @location IS NOT NULL
            THROW 51000, N'the group ces-replica is still there', 1;
    END;
END;
GO

-- 5. Disable change event streaming
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
IF EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
BEGIN
    DECLARE @location nvarchar(4000), @streamed nvarchar(4000), @columns nvarchar(max), @width int, @sql nvarchar(max);
    -- This would take all other groups with it.
    SELECT @columns = N'c1 nvarchar(4000), c2 nvarchar(4000), c3 nvarchar(4000), c4 nvarchar(4000), c5 nvarchar(4000), c6 nvarchar(4000), c7 nvarchar(4000), c8 nvarchar(4000)', @width = 8;
    WHILE 1 = 1
    BEGIN
        SET @sql = CAST(N'' AS nvarchar(max))
            + N'DECLARE @read TABLE ('
            + @columns
            + N'); INSERT @read EXEC sys.sp_help_change_feed_table_groups; SET @result = (SELECT MAX(c3) FROM @read WHERE CASE WHEN c6 LIKE N''[0-9]'' THEN c6 ELSE c8 END = N''1'');';
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
    IF @location IS NOT NULL
        PRINT N'Other stream groups are left in the database, so change event streaming stays enabled.';
    ELSE
    BEGIN
        DECLARE @failed int;
        EXEC @failed = sys.sp_disable_event_stream;
        IF @failed <> 0 OR EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
            THROW 51000, N'change event streaming could not be disabled; see the error above', 1;
    END;
END;
GO
